import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The name of a file says what it needs: `*.http.test.ts` and `*.db.test.ts` get a PostgreSQL (test/harness/database.ts),
// `*.test.tsx` a DOM.
export const NEEDS_POSTGRES = ['{server,cli,migrations,seeds,test}/**/*.{http,db}.test.ts'];
/** These replace modules of the server (`vi.mock`), so they load their own (test/rules/isolation.test.ts). */
export const REPLACE_MODULES = [
  'server/http/health.db.test.ts',
  'server/http/pages/refused-pages.http.test.ts',
  'test/security/bodies.http.test.ts',
];
const OTHER_RUNNERS = ['test/e2e/**', 'node_modules/**'];
/** Paths that a run leaves out. The option `--exclude` has no effect on projects. */
const LEFT_OUT = process.env.LEFT_OUT?.split(',') ?? [];

export default defineConfig({
  test: {
    // Guards against a test that hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{contract,server,cli,seeds,test,web}/**/*.test.ts'],
          exclude: [...NEEDS_POSTGRES, ...OTHER_RUNNERS],
        },
      },
      {
        extends: true,
        // Each file has its own database and waits for it much of the time: two at once even on two cores.
        test: {
          name: 'http',
          include: NEEDS_POSTGRES,
          exclude: [...REPLACE_MODULES, ...OTHER_RUNNERS, ...LEFT_OUT],
          globalSetup: 'test/harness/global-setup.ts',
          maxWorkers: 2,
          // The server's state belongs to its context, so files may share its modules: loading them was half of the time.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'http-isolated',
          include: REPLACE_MODULES,
          globalSetup: 'test/harness/global-setup.ts',
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        // Starts and kills real processes.
        test: { name: 'local', include: ['local/**/*.test.ts'] },
      },
      {
        extends: true,
        // Needs Helm, and skips its tests where it finds none.
        test: { name: 'chart', include: ['test/chart/*.check.ts'] },
      },
      {
        extends: true,
        // Needs a Docker engine. One file after the other: each starts a stack of containers.
        test: {
          name: 'docker',
          include: ['test/docker/*.check.ts'],
          fileParallelism: false,
          globalSetup: 'test/docker/build.ts',
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        extends: true,
        // Needs Python and its package registry, and skips its tests where it finds none.
        test: {
          name: 'openapi',
          include: ['test/third-party/*.check.ts'],
          globalSetup: 'test/harness/global-setup.ts',
        },
      },
      {
        extends: true,
        // Needs kubectl, Helm and a cluster, and skips its tests where it finds none.
        test: { name: 'cluster', include: ['test/cluster/*.check.ts'], testTimeout: 1_800_000, hookTimeout: 600_000 },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'web',
          include: ['web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: 'web/src/test/setup.ts',
          // The default is one less than there are cores, and the unit tests, which run beside it, end in half the time.
          maxWorkers: '100%',
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
