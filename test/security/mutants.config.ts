import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vitest/config';
import type { Mutant } from './mutants.ts';

const mutate = ({ file, from, to, replacement }: Mutant): Plugin => ({
  name: 'mutate',
  enforce: 'pre',
  transform: (code, id) => {
    if (!id.split('?')[0]?.endsWith(`/${file}`)) return undefined;
    const source = readFileSync(id.split('?')[0]!, 'utf8');
    if (source !== code) throw new Error(`${file} reached the mutation changed`);
    return { code: source.slice(0, from) + replacement + source.slice(to), map: null };
  },
});

export default defineConfig({
  plugins: process.env.MUTANT ? [mutate(JSON.parse(process.env.MUTANT))] : [],
  test: {
    // A cache would serve the first mutant to all other runs.
    fsModuleCache: false,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    bail: 1,
    include: [
      'server/features/{account,admin,ads,blocks,favorites,messages}/*.http.test.ts',
      'server/features/{notifications,offers,push,ratings,reports,sales,saved-searches,sellers}/*.http.test.ts',
      'server/http/middleware/response-cache.http.test.ts',
    ],
    globalSetup: 'test/harness/global-setup.ts',
  },
});
