import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectNothingRefused, watchConsole, watchPolicy } from './audit.ts';
import { listAds } from './content.ts';
import { joinX, signInAs } from './people.ts';

/** Public pages, and the text that must be readable before any script has run. */
const PUBLIC: [path: string, text: string | RegExp][] = [
  ['/', 'Latest Ads'],
  ['/?category=furniture', 'Two-seat sofa'],
  ['/categories', 'Most Popular'],
  ['/categories?category=furniture', 'Two-seat sofa'],
  ['/ads/:ad', 'View Seller'],
  ['/users/seller_one', 'Listings by'],
  ['/safety-tips', 'Red Flags'],
  ['/terms-of-service', 'Last updated: January 2025'],
  ['/privacy', 'Privacy Policy'],
  ['/how-it-works', 'Post Your First Ad'],
  ['/no/such/page', 'Page Not Found'],
  ['/ads/999999', 'has been removed'],
  ['/users/nobody_here', 'User Not Found'],
];
const MISSING = ['/no/such/page', '/ads/999999', '/users/nobody_here'];

let adPath = '';
test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  adPath = `/ads/${(await listAds(request, '?search=basketball'))[0]?.id}`;
  await request.dispose();
});
const addressOf = (path: string) => path.replace('/ads/:ad', adPath);

/** Holds all scripts back until the returned function is called. */
const holdScripts = async (page: Page): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await promise;
    await route.fallback();
  });
  return resolve;
};

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('every public page can be read, and its links followed', async ({ page }) => {
    for (const [path, text] of PUBLIC) {
      await page.goto(addressOf(path));
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      await expect(page.locator('main').getByText(text).first(), path).toBeVisible();
    }
    await page.goto('/categories?category=furniture');
    await page.locator('main').getByRole('link', { name: 'Two-seat sofa, dark grey' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^Two-seat sofa/ })).toBeVisible();
  });
});

/** The lists below an ad and a profile. */
const LOADED_AFTER_THE_PAGE = /\/(similar|more-from-seller|ratings)$/;

test('pages are taken over as they are: nothing replaced, nothing moved, nothing asked again', async ({ browser }) => {
  // Half a day away from the server's time zone, so that most times have a different date.
  const context = await browser.newContext({ timezoneId: 'Pacific/Auckland', viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await watchPolicy(page);
  for (const [path] of PUBLIC) {
    const problems = watchConsole(page, MISSING.includes(path));
    const calls: string[] = [];
    const noteCall = (request: { url: () => string }) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/') && !LOADED_AFTER_THE_PAGE.test(pathname)) calls.push(request.url());
    };
    page.on('request', noteCall);
    const release = await holdScripts(page);
    await page.goto(addressOf(path), { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      const moved = { score: 0, main: document.getElementById('main') };
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.score += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    release();
    await expectAlive(page);
    await page.waitForLoadState('networkidle');
    const { score, isKept } = await page.evaluate(() => {
      const { moved } = window as unknown as { moved: { score: number; main: HTMLElement } };
      return { score: moved.score, isKept: moved.main.isConnected };
    });
    expect(isKept, `${path}: still the server’s elements`).toBe(true);
    expect(score, `${path}: layout shift`).toBeLessThanOrEqual(0.01);
    expect(calls, `${path}: data that came with the page`).toEqual([]);
    expect(problems, `console of ${path}`).toEqual([]);
    await expectNothingRefused(page, path);
    page.off('request', noteCall);
    await page.unrouteAll();
  }
  await context.close();
});

test('who has scrolled on before the code came stays there', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/terms-of-service', { waitUntil: 'commit' });
  await page.getByText('Last updated: January 2025').waitFor();
  await page.evaluate(() => window.scrollTo(0, 600));
  release();
  await expectAlive(page);
  expect(await page.evaluate(() => window.scrollY)).toBe(600);
});

test('a click that comes before the code is made again when it is there', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  release();
  await expect(page.getByRole('dialog', { name: /^Welcome to/ })).toBeVisible();
});

test('what is typed and chosen before the code came is taken up when it is there', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto('/', { waitUntil: 'commit' });
  const filters = page.getByRole('region', { name: 'Filters' });
  await filters.getByLabel('Max price').fill('500');
  await filters.getByLabel('Category').selectOption('Furniture');
  const search = page.getByRole('combobox', { name: 'Search ads' });
  await search.pressSequentially('so');
  release();
  await expect(page).toHaveURL(/\?category=furniture&maxPrice=500$/);
  await expect(filters.getByLabel('Max price')).toHaveValue('500');
  await expect(search).toHaveValue('so');
  await expect(page.getByRole('option', { name: 'sofa' })).toBeVisible();
});

test('who searches before the code came is shown what there is', async ({ page }) => {
  await holdScripts(page);
  await page.goto('/safety-tips', { waitUntil: 'commit' });
  const search = page.getByRole('combobox', { name: 'Search ads' });
  await search.fill('sofa');
  await search.press('Enter');
  await expect(page).toHaveURL(/\/\?search=sofa$/);
  await expect(page.getByRole('link', { name: /^Two-seat sofa/ })).toBeVisible();
});

test('a signed-in person’s pages are taken over, too', async ({ browser }) => {
  const { page, problems, close } = await signInAs(browser, await joinX('tom'));
  for (const path of ['/', adPath, '/users/seller_one']) {
    const release = await holdScripts(page);
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('button', { name: 'Account' }), 'drawn by the server').toBeVisible();
    await page.evaluate(() => Object.assign(window, { first: document.getElementById('main') }));
    release();
    await expectAlive(page);
    expect(await page.evaluate(() => (window as unknown as { first: HTMLElement }).first.isConnected)).toBe(true);
    await page.unrouteAll();
  }
  expect(problems).toEqual([]);
  await close();
});

test('a tab opened behind another loads its code all the same', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  await page.goto('/safety-tips');
  await expectAlive(page);
});
