import { defineConfig } from 'vitest/config';

// One after the other: each has a stack of containers. Apart from `vitest run`: it needs a Docker engine.
export default defineConfig({
  test: {
    include: ['test/docker/*.check.ts'],
    fileParallelism: false,
    globalSetup: 'test/docker/build.ts',
    // Guards against a test that hangs; nothing is measured by them.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
