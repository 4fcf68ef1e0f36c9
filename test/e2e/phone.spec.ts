import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { SELLER } from './content.ts';
import { PHONE } from './people.ts';
import { prepareScreens, type ScreenNames } from './screen-data.ts';

test.use(PHONE);

let names: ScreenNames;
test.beforeAll(async ({ baseURL }) => {
  names = await prepareScreens(baseURL ?? '');
});

const bar = (page: Page) => page.locator('[data-slot=tab-bar]');
const openAs = async (page: Page, path: string, viewer?: string): Promise<void> => {
  if (viewer) await page.addInitScript((id) => localStorage.setItem('testUser', id), viewer);
  await page.goto(path);
  await expectAlive(page);
};

test('the bar at the bottom leads to the five places, with targets of 44 px', async ({ page }) => {
  await openAs(page, '/safety-tips', SELLER);
  for (const [name, path] of [
    ['Home', '/'],
    ['Saved', '/dashboard?tab=saved'],
    ['Sell', '/create-ad'],
    [/^Inbox/, '/messages'],
    ['Me', '/dashboard'],
  ] as const) {
    const place = bar(page).getByRole('link', { name, exact: true });
    const box = await place.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await place.click();
    await expect(page).toHaveURL(path);
    await expect(place).toHaveAttribute('aria-current', 'page');
  }
});

test('the bar gives way to a keyboard, to the bar of an ad, and to a wide window', async ({ page }) => {
  await openAs(page, '/contact');
  await expect(bar(page)).toBeVisible();
  await page.getByLabel('Subject').focus();
  await expect(bar(page)).toBeHidden();
  await page.getByLabel('Subject').blur();
  await expect(bar(page)).toBeVisible();
  await page.goto(`/ads/${names.get(':ad')}`);
  await expect(page.locator('[data-slot=bottom-bar]')).toBeVisible();
  await expect(bar(page)).toBeHidden();
  await page.goto('/contact');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(bar(page)).toBeHidden();
});

test('the end of the page and a toast lie above the bar', async ({ page }) => {
  await openAs(page, '/', SELLER);
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  const top = (await bar(page).boundingBox())?.y ?? 0;
  const end = await page.getByText(/^© 2025/).boundingBox();
  expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual(top);
  await page.route('**/api/ads/*/favorite', (route) => route.abort());
  await page
    .getByRole('button', { name: /^Save / })
    .last()
    .click();
  const toast = page.locator('[data-slot=toast]');
  await expect(toast).toBeVisible();
  await expect
    .poll(async () => {
      const box = await toast.boundingBox();
      return box && box.y > 400 && box.y + box.height <= top;
    })
    .toBe(true);
});
