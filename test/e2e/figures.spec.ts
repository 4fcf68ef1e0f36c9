import { expect, test } from '@playwright/test';
import type { AdminStats } from '../../contract/admin.ts';
import type { UserStats } from '../../contract/users.ts';
import { expectAlive } from './alive.ts';
import { SELLER } from './content.ts';
import { openAs } from './viewers.ts';

const WIDTHS = [320, 360, 390, 480, 639, 640, 768, 1023, 1024, 1152, 1279, 1280, 1440, 1920];
const NUMBERS = [7, 99_999, 12_345_678];

const large = (value: number): Partial<AdminStats & UserStats> => ({
  totalUsers: value,
  totalAds: value,
  activeAds: value,
  revenue: value === 7 ? 5_638_243.94 : value + 0.94,
  totalViews: value,
  soldAds: value,
  likedAds: value,
  followers: value,
});

for (const [path, viewer, api] of [
  ['/admin', 'admin', '**/api/admin/stats'],
  ['/dashboard', SELLER, '**/api/users/me/stats'],
] as const)
  test(`no figure on the cards of ${path} wraps or leaves its card at any width`, async ({ browser }) => {
    for (const value of NUMBERS) {
      const { page, close } = await openAs(browser, { viewer });
      await page.route(api, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), ...large(value) } });
      });
      await page.goto(path);
      await expectAlive(page);
      await expect(page.locator('[data-slot=figure]').first()).toBeVisible();
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const bad = await page.locator('[data-slot=figure]').evaluateAll((figures) =>
          figures
            .filter((figure) => {
              const card = figure.closest('[data-slot=card]')?.getBoundingClientRect();
              const box = figure.getBoundingClientRect();
              return figure.getClientRects().length !== 1 || !card || box.right > card.right - 8;
            })
            .map((figure) => figure.textContent),
        );
        expect(bad, `${value} at ${width} px`).toEqual([]);
      }
      await close();
    }
  });

test('a large revenue is shortened, and whole in its tooltip', async ({ browser }) => {
  const { page, close } = await openAs(browser, { viewer: 'admin' });
  await page.route('**/api/admin/stats', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), revenue: 5_638_243.94 } });
  });
  await page.goto('/admin');
  await expect(page.getByTitle('$5,638,243.94')).toContainText('$5.6M');
  await close();
});
