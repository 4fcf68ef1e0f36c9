import { expect, type Page } from '@playwright/test';

export const expectAlive = (page: Page): Promise<void> =>
  expect(page.locator('#late'), 'the page has come alive').toHaveCount(0);
