import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll, watchPolicy } from './audit.ts';
import { deleteAds, newWord, postAds } from './content.ts';
import { PHONE } from './people.ts';
import { takePicture } from './pictures.ts';
import { THEMES } from './viewers.ts';

test.use({ serviceWorkers: 'allow' });

const heading = (page: Page) => page.getByRole('heading', { name: 'You are offline' });

/** Opens a page and waits until the service worker answers for the next one. */
const openWithWorker = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.goto('/safety-tips');
  await expectAlive(page);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  return page;
};

for (const theme of THEMES)
  test(`a page that cannot be loaded says so in ${theme}, and opens when the network is back`, async ({ browser }) => {
    const context = await browser.newContext(PHONE);
    await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
    const page = await openWithWorker(context);
    await watchPolicy(page);
    await context.setOffline(true);
    await page.goto('/categories');
    await expect(heading(page)).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark'))).toBe(theme === 'dark');
    await expectAccessible(page, `offline ${theme}`);
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScroll(page, `offline ${theme} ${width}`);
      await takePicture(page, `offline-${width}-${theme}`);
    }
    const button = page.getByRole('button', { name: 'Try again' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toHaveText('Still no connection.');
    await expect(button).toBeFocused();

    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Categories' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/categories');
    await context.close();
  });

test('with the service worker, every page is of now, and nothing is kept', async ({ browser, request }) => {
  const context = await browser.newContext();
  const page = await openWithWorker(context);
  const ids: string[] = [];
  for (const title of [newWord('Anvil '), newWord('Anvil ')]) {
    ids.push(...(await postAds(request, 1, title)));
    const open = async (): Promise<string> => {
      const response = await page.goto('/');
      expect(response?.fromServiceWorker()).toBe(true);
      return (await response?.text()) ?? '';
    };
    await expect.poll(open).toContain(title);
    await expectAlive(page);
  }
  expect(await page.evaluate(() => caches.keys())).toEqual(['words']);
  await context.close();
  await deleteAds(request, ids);
});
