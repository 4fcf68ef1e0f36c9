import { expect, type Page } from '@playwright/test';

export const expectAlive = (page: Page): Promise<void> =>
  expect(page.locator('#late'), 'the page has come alive').toHaveCount(0);

/**
 * A closed overlay's entry leaves the history a moment after the overlay (lib/overlay-history.ts), also after a reload. A navigation
 * that begins meanwhile would be aborted. The question whether to leave a form has no entry.
 */
export const expectSettled = (page: Page): Promise<void> =>
  expect
    .poll(
      () =>
        page.evaluate(() => {
          const open = document.querySelectorAll('[data-escape][data-state=open]').length;
          return (history.state?.overlay ?? 0) - open;
        }),
      'the history has an entry for each open overlay',
    )
    .toBe(0);
