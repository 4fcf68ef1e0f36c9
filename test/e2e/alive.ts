import { expect, type Page } from '@playwright/test';

/** Waits until the page is hydrated: from then on it reacts to keys and pointers. */
export const expectAlive = (page: Page): Promise<void> =>
  expect(page.locator('#late'), 'the page has come alive').toHaveCount(0);
