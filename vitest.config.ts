import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// A file's name says what it needs: `*.http.test.ts` and `*.db.test.ts` get a PostgreSQL (test/harness/database.ts), others none;
// `*.test.tsx` gets a DOM.
const NEEDS_POSTGRES = ['{server,cli,migrations,seeds,test}/**/*.{http,db}.test.ts'];
// Suites with a configuration and a command of their own.
const NOT_OURS = ['test/{e2e,chart,docker,bench}/**', 'node_modules/**'];

export default defineConfig({
  test: {
    // Guards against a test that hangs; nothing is measured by it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,server,cli,seeds,test,web}/**/*.test.ts'],
          exclude: [...NEEDS_POSTGRES, ...NOT_OURS],
        },
      },
      {
        extends: true,
        // Each file has a database of its own and waits for it much of its time: two at once even on two cores.
        test: { name: 'http', include: NEEDS_POSTGRES, globalSetup: 'test/harness/global-setup.ts', maxWorkers: 2 },
      },
      {
        extends: true,
        // Real processes, started and killed.
        test: { name: 'local', include: ['local/**/*.test.ts'] },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: 'web/src/test/setup.ts',
        },
      },
    ],
  },
});
