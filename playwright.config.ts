import { defineConfig } from '@playwright/test';
import { CHROMIUM_FLAGS, findJourneyBrowser } from './test/harness/chromium.ts';

export default defineConfig({
  testDir: 'test/e2e',
  outputDir: 'test-results',
  globalSetup: './test/e2e/global-setup.ts',
  // One marketplace, one database: the journeys run one after the other.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // A network interface that appears or vanishes, such as a container's, aborts a browser's requests. The summary names every
  // retried journey.
  retries: process.env.CI ? 2 : 0,
  // Guards against a journey that hangs.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    // Set by the global setup, which runs before the workers read this file.
    baseURL: process.env.E2E_ADDRESS,
    actionTimeout: 60_000,
    // Journeys that replace replies need requests that no worker sends. offline.spec.ts and the journeys of push use it.
    serviceWorkers: 'block',
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: findJourneyBrowser(), args: CHROMIUM_FLAGS },
  },
});
