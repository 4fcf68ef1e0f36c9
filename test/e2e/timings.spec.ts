import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { listAds } from './content.ts';
import { openAs } from './viewers.ts';

// The tests control the clock, so that nothing waits and nothing depends on the speed of the machine.

const toast = (page: Page) => page.locator('[data-slot=toast]');

/** Waits for CSS transitions, which the controlled clock does not stop. */
const rest = (element: Locator) =>
  expect.poll(() => element.evaluate((node) => node.getAnimations().length), 'it has come to rest').toBe(0);

const showToast = async (page: Page): Promise<void> => {
  const copyLink = page.getByRole('button', { name: 'Copy link' });
  const ad = (await listAds(page.request, '?search=basketball'))[0];
  await page.clock.install();
  await page.goto(`/ads/${ad?.id}`);
  await expectAlive(page);
  // The first toast loads the code of the toaster.
  await copyLink.click();
  await expect(toast(page)).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await expect(toast(page)).toHaveCount(0);
  await copyLink.click();
  await expect(toast(page)).toBeVisible();
  await rest(toast(page));
};

test('a toast stays for 5000 ms', async ({ page }) => {
  await showToast(page);
  await page.clock.runFor(4999);
  await expect(toast(page)).toHaveAttribute('data-state', 'open');
  await page.clock.runFor(1);
  await expect(toast(page).and(page.locator('[data-state=open]'))).toHaveCount(0);
});

test('a toast waits while the pointer is on it, and goes when its time is up after that', async ({ page }) => {
  await showToast(page);
  await page.clock.runFor(3000);
  await toast(page).hover();
  await page.clock.runFor(60_000);
  await expect(toast(page)).toHaveAttribute('data-state', 'open');
  await leave(page);
  await page.clock.runFor(1999);
  await expect(toast(page)).toHaveAttribute('data-state', 'open');
  await page.clock.runFor(1);
  await expect(toast(page).and(page.locator('[data-state=open]'))).toHaveCount(0);
});

test('a swipe to the right takes a toast away beyond 50 px, and not before', async ({ page }) => {
  await showToast(page);
  const box = await toast(page).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 40, (box?.y ?? 0) + 12];
  const swipe = async (pixels: number) => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + pixels, y, { steps: 5 });
    await page.mouse.up();
  };
  await swipe(50);
  await expect(toast(page)).toHaveAttribute('data-swipe', 'cancel');
  await expect(toast(page)).toHaveAttribute('data-state', 'open');
  await rest(toast(page));
  expect(await toast(page).boundingBox()).toEqual(box);
  await swipe(51);
  await expect(toast(page).and(page.locator('[data-state=open]'))).toHaveCount(0);
});

test('F8 leads to the toast, from where its button is one key away', async ({ page }) => {
  await showToast(page);
  await page.keyboard.press('F8');
  expect(await toast(page).evaluate((element) => element.parentElement === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close notification' })).toBeFocused();
});

/** Moves to an empty corner in several steps, because a tooltip tolerates the pointer on its way to the tooltip. */
const leave = (page: Page) => page.mouse.move(5, 500, { steps: 10 });

const HINT = 'Sum of the prices of ads marked sold this month. The marketplace takes no fee.';

test('the first tooltip takes 700 ms, the next within 300 ms none', async ({ browser }) => {
  const { page, close } = await openAs(browser, { viewer: 'admin' });
  await page.clock.install();
  await page.goto('/admin');
  const hint = page.getByRole('button', { name: HINT });
  const tooltip = page.getByRole('tooltip');
  await expect(hint).toBeVisible();
  await page.clock.pauseAt(Date.now() + 3_600_000);

  await hint.hover();
  await page.clock.runFor(699);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText(HINT);
  await leave(page);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(299);
  await hint.hover();
  await page.clock.runFor(1);
  await expect(tooltip, 'at once').toHaveText(HINT);

  await leave(page);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(300);
  await hint.hover();
  await page.clock.runFor(699);
  await expect(tooltip, 'too late for that').toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText(HINT);
  await close();
});
