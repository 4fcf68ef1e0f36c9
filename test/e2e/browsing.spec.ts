import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive, expectSettled } from './alive.ts';
import { expectNoSidewaysScroll, watchConsole } from './audit.ts';
import { deleteAds, postAds } from './content.ts';

// Unique per run, because a retry posts the ads again.
const WORD = `Browsable${randomBytes(3).toString('hex')}`;

let posted: string[] = [];
test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  posted = await postAds(request, 30, WORD);
  await request.dispose();
});
// An administration table shows a hundred rows. Without this cleanup, our ads would push out the sample ads.
test.afterAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  await deleteAds(request, posted);
  await request.dispose();
});

const cards = (page: Page) => page.locator('main article');
const countListCalls = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/ads') calls.push(request.url());
  });
  return calls;
};

test('filters apply by themselves, live in the address, and each chip takes one away', async ({ page }) => {
  const problems = watchConsole(page);
  await page.goto('/');
  await expectAlive(page);
  const filters = page.getByRole('region', { name: 'Filters' });
  const search = page.getByRole('combobox', { name: 'Search ads' });
  await search.fill(WORD);
  await search.press('Enter');
  await expect(page).toHaveURL(new RegExp(`search=${WORD}`));
  await expect(page.getByText('30 results', { exact: true })).toBeVisible();
  await filters.getByLabel('Min price').fill('10');
  await filters.getByLabel('Max price').fill('12');
  await expect(page.getByText('3 results', { exact: true })).toBeVisible();
  await filters.getByLabel('Category').selectOption('Other');
  await expect(page).toHaveURL(new RegExp(`category=other&maxPrice=12&minPrice=10&search=${WORD}`));
  await page.getByRole('button', { name: 'Remove filter Up to $12' }).click();
  await expect(page.getByText('21 results', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('3 results', { exact: true })).toBeVisible();
  await filters.getByLabel('Max price').fill('5');
  await expect(page.getByText('The lowest price is above the highest')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  expect(problems).toEqual([]);
});

for (const [device, size] of [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1280, height: 720 }],
] as const)
  test(`on a ${device} a choice brings the results into view, directly under the filters and a heading of their own`, async ({
    page,
    request,
  }) => {
    const problems = watchConsole(page);
    const count = async (filters: string) =>
      Number((await request.get(`/api/ads?limit=1&${filters}`)).headers()['x-total-count']);
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const headline = heading('Buy and sell with people on X');
    const expectInView = async (name: string) => {
      await expect(heading(name)).toBeInViewport();
      await expect(cards(page).first()).toBeInViewport();
      await expect(headline).toHaveCount(0);
      await expectNoSidewaysScroll(page, name);
    };
    await page.setViewportSize(size);
    await page.goto('/');
    await expectAlive(page);
    await expect(headline).toBeVisible();
    const chips = page.getByRole('navigation', { name: 'Popular categories' });
    await chips.getByRole('link', { name: 'Furniture' }).click();
    await expectInView('Furniture');
    const ofCategory = await count('category=furniture');
    await expect(page.getByText(`${ofCategory} ${ofCategory === 1 ? 'ad' : 'ads'} found`)).toBeVisible();
    const bar = (await chips.boundingBox())!;
    expect((await heading('Furniture').boundingBox())!.y - (bar.y + bar.height)).toBeLessThan(60);

    await page.getByRole('button', { name: 'Remove filter Furniture' }).click();
    await expect(headline).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page
      .getByRole('button', { name: /^(More filters|Filters)/ })
      .locator('visible=true')
      .click();
    await page.getByRole('dialog', { name: 'Filters' }).getByLabel('With photos').click();
    await page.getByRole('button', { name: /^Show \d/ }).click();
    const withPhotos = await count('withPhotos=true');
    await expectInView(`${withPhotos} ${withPhotos === 1 ? 'result' : 'results'}`);

    await page.goto(`/?search=${WORD}&minPrice=30`);
    await expectAlive(page);
    await expect(heading(`Results for “${WORD}”`)).toBeVisible();
    await expect(page.getByText('1 result', { exact: true })).toBeVisible();
    expect(problems).toEqual([]);
  });

test('the category chips are one row; on a wide page all of them are in view', async ({ page }) => {
  for (const width of [1280, 1024, 768, 390, 360]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    const links = page.getByRole('navigation', { name: 'Popular categories' }).getByRole('link');
    await expect(links).toHaveCount(width < 768 ? 9 : width < 1280 ? 5 : 6);
    const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
    expect(new Set(tops).size, `at ${width} pixels`).toBe(1);
    if (width >= 768) await expect(links.last()).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page, `at ${width} pixels`);
  }
});

test('the first list comes with the page; Load More appends and moves the focus to the first new ad', async ({
  page,
}) => {
  const calls = countListCalls(page);
  await page.goto(`/?search=${WORD}`);
  await expectAlive(page);
  await expect(cards(page)).toHaveCount(24);
  expect(calls).toEqual([]);
  const loadMore = page.getByRole('button', { name: 'Load More Ads' });
  await loadMore.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  await loadMore.press('Enter');
  await expect(cards(page)).toHaveCount(30);
  await expect(loadMore).toHaveCount(0);
  await expect(cards(page).nth(24).getByRole('link')).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
  expect(calls).toHaveLength(1);
});

test('Back shows the whole list again, where one was, without asking for it', async ({ page }) => {
  await page.goto(`/?search=${WORD}`);
  await expectAlive(page);
  await page.getByRole('button', { name: 'Load More Ads' }).click();
  await expect(cards(page)).toHaveCount(30);
  const last = cards(page).nth(29);
  await last.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(0);
  await last.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(WORD) })).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  const calls = countListCalls(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(cards(page)).toHaveCount(30);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(before);
  expect(calls).toEqual([]);
});

test('a page opened by its address begins at its top, also one that the browser draws; a reload keeps the place', async ({
  page,
}) => {
  const readScroll = () => page.evaluate(() => window.scrollY);
  const scrollTo = (top: number) => page.evaluate((y) => window.scrollTo(0, y), top);
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto('/privacy');
  await expectAlive(page);
  await scrollTo(400);
  await page.goto('/contact');
  await expectAlive(page);
  expect(await readScroll()).toBe(0);
  await scrollTo(200);
  await page.reload();
  await expectAlive(page);
  await expect.poll(readScroll).toBe(200);
});

test('a chosen theme holds from the first paint on, and follows the system when asked to', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
  expect(await isDark()).toBe(false);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect.poll(isDark).toBe(true);
  await expectSettled(page);
  // The reload loads the document without scripts, so that only inline code can set the dark theme.
  await page.route('**/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(isDark).toBe(true);
  await page.unroute('**/*.js');
  await page.reload();
  await expectAlive(page);
  await page.getByRole('button', { name: 'Theme' }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  await expect.poll(isDark).toBe(false);
  await expectSettled(page);
  // After a reload, the menu with the themes has not been opened yet.
  await page.reload();
  await expectAlive(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(isDark).toBe(true);
});

test('a chunk that an upgrade took away makes the page reload once and work', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  await page.evaluate(() => Object.assign(window, { isOldPage: true }));
  // The file is missing for the old page only. The server's new HTML would reference another file.
  let isGone = true;
  let refused = 0;
  await page.route('**/assets/safety-tips-*.js', async (route) => {
    if (!isGone) return route.fallback();
    refused++;
    return route.fulfill({ status: 404 });
  });
  const link = page.getByRole('link', { name: 'Safety Tips' });
  await link.hover();
  await expect.poll(() => refused, 'fetched ahead of the click').toBeGreaterThan(0);
  expect(await page.evaluate(() => 'isOldPage' in window), 'hovering alone reloads nothing').toBe(true);
  await page.route('**/safety-tips', async (route) => {
    isGone = false;
    await route.fallback();
  });
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Safety Tips' })).toBeVisible();
  expect(await page.evaluate(() => 'isOldPage' in window), 'the page was loaded again').toBe(false);
});

test('a first page whose chunk cannot be had is loaded again, once', async ({ page }) => {
  let documents = 0;
  await page.route('**/safety-tips', async (route) => {
    documents++;
    await route.fallback();
  });
  await page.route('**/assets/safety-tips-*.js', (route) =>
    documents < 2 ? route.fulfill({ status: 404 }) : route.fallback(),
  );
  await page.goto('/safety-tips');
  await expectAlive(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Safety Tips' })).toBeVisible();
  expect(documents).toBe(2);
});

test('the page of an ad opens without asking for its code, which came after the list', async ({ page }) => {
  const code = page.waitForResponse('**/assets/ad-detail-*.js');
  await page.goto('/?search=basketball');
  await code;
  await page.waitForLoadState('networkidle');
  await page.route('**/assets/*.js', (route) => route.abort());
  await page
    .getByRole('link', { name: /basketball/i })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /basketball/i })).toBeVisible();
});

test('hearts of people who are not signed in ask them to', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  await page
    .getByRole('button', { name: /^Save / })
    .first()
    .click();
  await expect(page.getByText('You need to be logged in to favorite ads').first()).toBeVisible();
  await expect(page.getByRole('dialog', { name: /^Welcome to/ })).toBeVisible();
});
