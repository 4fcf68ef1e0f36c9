import { defineConfig } from 'vitest/config';

// Apart from `vitest run`: it needs helm, which is fetched.
export default defineConfig({ test: { include: ['test/chart/*.check.ts'], testTimeout: 180_000 } });
