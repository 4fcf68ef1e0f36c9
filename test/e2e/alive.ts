import { expect, type Page } from '@playwright/test';

/** The page's own code has taken over from the server's HTML: keys, pointers and typing reach it. */
export const expectAlive = (page: Page): Promise<void> =>
  expect(page.locator('#late'), 'the page has come alive').toHaveCount(0);
