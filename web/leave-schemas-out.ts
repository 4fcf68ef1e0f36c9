import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** Puts no-schemas.ts in the place of zod. A builder that is missing there ends the build instead of the page. */
export const leaveSchemasOut = (): Plugin => ({
  name: 'leave-schemas-out',
  config: () => ({
    resolve: { alias: { 'zod/mini': fileURLToPath(new URL('no-schemas.ts', import.meta.url)) } },
  }),
  onLog(_, log) {
    if (log.code === 'IMPORT_IS_UNDEFINED') this.error(log);
  },
});
