import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';
import { CHROMIUM_FLAGS } from '../harness/chromium.ts';

// Runs the main job against a running stack (E2E_ADDRESS), whose proxy has a self-signed certificate.
export default defineConfig({
  ...base,
  testDir: '../e2e',
  testMatch: 'main-job.spec.ts',
  outputDir: '../../test-results/docker',
  globalSetup: undefined,
  use: {
    ...base.use,
    ignoreHTTPSErrors: true,
    launchOptions: { ...base.use?.launchOptions, args: [...CHROMIUM_FLAGS, '--ignore-certificate-errors'] },
  },
});
