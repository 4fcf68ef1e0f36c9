import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';
import { ENGINES } from './installation.ts';

// `make engines`. Playwright runs the tests and reports them; the browsers are controlled by tab.ts.
export default defineConfig({
  ...base,
  testDir: '.',
  outputDir: '../../test-results/engines',
  globalSetup: './global-setup.ts',
  workers: 2,
  projects: ENGINES.filter(({ isInstalled }) => isInstalled()).map(({ name }) => ({ name })),
});
