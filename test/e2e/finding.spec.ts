import { type APIRequestContext, devices, expect, type Locator, type Page, test } from '@playwright/test';
import { CITIES } from '../../seeds/sample-cities.ts';
import { expectAlive } from './alive.ts';
import { watchConsole } from './audit.ts';
import { deleteAds, newWord, postAds } from './content.ts';
import { inspect } from './inspect.ts';

// Unique per attempt, because an earlier one may have left its ads.
const WORD = newWord('velo');
const [FAR, DEAR, LARGE, NEAR, CLOSE] = ['far', 'dear', 'large', 'near', 'close'].map((end) => `${WORD} ${end}`) as [
  string,
  string,
  string,
  string,
  string,
];

let posted: string[] = [];

/** One by one, because each next one is newer. `NEAR` is the newest bicycle that fits, `CLOSE` the nearest one. */
const postBicycles = async (request: APIRequestContext): Promise<string[]> => {
  // Ads with other numbers are not similar ads of one seller.
  const bicycle = (frame: number) => ({
    description: `Frame number ${frame}`,
    category: 'sports',
    condition: 'good' as const,
    details: { size: 'M', brand: 'Trek' },
  });
  return [
    ...(await postAds(request, 1, CLOSE, { ...bicycle(11), ...CITIES.beaverton, price: 150 })),
    ...(await postAds(request, 26, WORD, { ...bicycle(12), ...CITIES.vancouver, price: 100 })),
    ...(await postAds(request, 1, FAR, { ...bicycle(13), ...CITIES.seattle, price: 120 })),
    ...(await postAds(request, 1, DEAR, { ...bicycle(14), ...CITIES.portland, price: 900 })),
    ...(await postAds(request, 1, LARGE, { ...bicycle(15), ...CITIES.portland, price: 90, details: { size: 'L' } })),
    ...(await postAds(request, 1, NEAR, { ...bicycle(16), ...CITIES.portland, price: 180 })),
  ];
};

const FITTING = 28;

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  posted = await postBicycles(request);
  await request.dispose();
});

test.afterAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL: baseURL ?? '' });
  await deleteAds(request, posted);
  await request.dispose();
});

const cards = (page: Page) => page.locator('#main').getByRole('article');
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Filters' });
const openSheet = (page: Page) => page.getByRole('button', { name: /^(More filters|Filters)/ }).locator('visible=true');
const place = (page: Page) => sheet(page).getByRole('combobox', { name: 'Near' });
const count = (page: Page, ads: number) =>
  sheet(page).getByRole('button', { name: `Show ${ads} ${ads === 1 ? 'ad' : 'ads'}`, exact: true });
const search = (page: Page) => page.getByRole('combobox', { name: 'Search ads' });
const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);
const readScroll = (page: Page) => page.evaluate(() => window.scrollY);

test('a person on a phone finds a bicycle of a size near a town under a price, and a similar one', async ({
  browser,
}) => {
  const { defaultBrowserType: _, ...phone } = devices['Pixel 7'];
  const context = await browser.newContext({ ...phone, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const problems = watchConsole(page);
  await page.goto('/');
  await expectAlive(page);

  await test.step('types a word', async () => {
    await search(page).fill(WORD);
    await search(page).press('Enter');
    await expect(page.getByText(`${posted.length} results`, { exact: true })).toBeVisible();
  });

  await test.step('chooses category, size, place and price in the sheet, whose button counts', async () => {
    await openSheet(page).tap();
    await expect(count(page, posted.length)).toBeVisible();
    await sheet(page).getByLabel('Category').selectOption({ label: 'Sports & Recreation' });
    await sheet(page).getByLabel('Size').fill('m');
    await expect(count(page, posted.length - 1)).toBeVisible();
    await place(page).fill('beavert');
    await page.getByRole('option', { name: /Beaverton Oregon/ }).tap();
    await expect(place(page)).toHaveValue('Beaverton, Oregon, US');
    await sheet(page).getByLabel('Distance').selectOption('50');
    await expect(count(page, FITTING + 1)).toBeVisible();
    await sheet(page).getByLabel('Max price').fill('200');
    await expect(count(page, FITTING)).toBeVisible();
    await inspect(page, 'filter-sheet');
    await count(page, FITTING).tap();
    await expect(sheet(page)).toBeHidden();
  });

  await test.step('sees what is chosen, and how far away the ads are', async () => {
    await expect(page.getByText(`${FITTING} results`, { exact: true })).toBeVisible();
    const chips = page.getByRole('list', { name: 'Applied filters' }).getByRole('button');
    for (const name of ['Sports & Recreation', 'Up to $200', /^Remove filter Within 50 \S+ of Beaverton/, 'Size: m'])
      await expect(chips.filter({ hasText: typeof name === 'string' ? name : /Within 50/ })).toBeVisible();
    await expect(cards(page).first()).toContainText(/\d+ (km|miles) · /);
    await expect(page).toHaveTitle(new RegExp(`${WORD}.* near Beaverton`));
    await inspect(page, 'found');
  });

  await test.step('sorts by newest and by nearest', async () => {
    const sort = page.getByLabel('Sort by');
    await expect(cards(page).first()).toContainText(NEAR);
    await sort.selectOption({ label: 'Nearest' });
    await expect(cards(page).first()).toContainText(CLOSE);
    await expect(cards(page).nth(1)).toContainText(NEAR);
    await sort.selectOption({ label: 'Newest' });
    await expect(cards(page).first()).toContainText(NEAR);
    await page.goBack();
    await expect(sort).toHaveValue('nearest');
    await expect(cards(page).first()).toContainText(CLOSE);
  });

  await test.step('opens an ad far down, goes on to a similar one, and comes back to where the list was', async () => {
    const address = page.url();
    await page.getByRole('button', { name: 'Load More Ads' }).tap();
    await expect(cards(page)).toHaveCount(FITTING);
    const far = cards(page).nth(FITTING - 2);
    await far.scrollIntoViewIfNeeded();
    const before = await readScroll(page);
    expect(before).toBeGreaterThan(1000);
    await far.getByRole('link').tap();
    await expect(page.getByRole('heading', { level: 1, name: new RegExp(WORD) })).toBeVisible();
    const details = page.getByRole('region', { name: 'Details' });
    await expect(details.getByText('Size')).toBeVisible();
    await expect(details.getByText('Good', { exact: true })).toBeVisible();

    const similar = page.getByRole('region', { name: 'Similar ads' });
    // the ads take the place of their placeholders
    await expect(() => similar.scrollIntoViewIfNeeded({ timeout: 5000 })).toPass();
    await expect(similar.getByRole('article').first()).toBeVisible();
    await inspect(page, 'ad-with-details');
    const next = similar.getByRole('article').first().getByRole('link');
    const title = (await next.textContent()) ?? '';
    await next.tap();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect.poll(() => readScroll(page)).toBe(0);
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeHidden();
    await page.goBack();

    await expect(page).toHaveURL(address);
    await expect(cards(page)).toHaveCount(FITTING);
    await expect.poll(() => readScroll(page)).toBe(before);
    await expect(page.getByLabel('Sort by')).toHaveValue('nearest');
  });
  expect(problems).toEqual([]);
  await context.close();
});

test('the same filters work by keys alone, and the sheet gives the focus back', async ({ page }) => {
  const problems = watchConsole(page);
  await page.goto('/');
  await expectAlive(page);
  await search(page).focus();
  await page.keyboard.type(WORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/search=/);
  const category = page.getByRole('region', { name: 'Filters' }).getByLabel('Category');
  for (let step = 0; step < 30 && !(await hasFocus(category)); step++) await page.keyboard.press('Tab');
  await expect(category).toBeFocused();
  await page.keyboard.type('Sports');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('200');
  await page.keyboard.press('Tab');
  await expect(openSheet(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(sheet(page)).toBeVisible();
  const walkTo = async (name: string) => {
    const target = sheet(page).getByLabel(name, { exact: true });
    for (let step = 0; step < 30; step++) {
      if (await hasFocus(target)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${name}`);
  };
  await walkTo('Near');
  await page.keyboard.type('beavert');
  await expect(page.getByRole('option', { name: /Beaverton Oregon/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(place(page)).toHaveValue('Beaverton, Oregon, US');
  await walkTo('Distance');
  await page.keyboard.type('50');
  await walkTo('Good');
  await page.keyboard.press('Space');
  await walkTo('Size');
  await page.keyboard.type('M');
  await expect(count(page, FITTING)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toBeHidden();
  await expect(openSheet(page)).toBeFocused();
  await expect(page.getByText(`${FITTING} results`, { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/condition=good&d.size=M&maxPrice=200&near=\d+&radius=50&search=/);
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await expect(page).toHaveURL(/\/$/);
  expect(problems).toEqual([]);
});

test('what is typed last in the sheet counts, even if the sheet closes at once', async ({ page }) => {
  await page.goto(`/?search=${WORD}`);
  await expectAlive(page);
  await openSheet(page).click();
  await sheet(page).getByLabel('Max price').fill('200');
  await sheet(page).getByRole('button', { name: /^Show/ }).click();
  await expect(page).toHaveURL(/maxPrice=200/);
  await openSheet(page).click();
  await sheet(page).getByLabel('Max price').fill('5');
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/maxPrice=5&/);
});

test('an order lives in the address: Back and Forward undo and repeat it, links keep it, and Browse clears it', async ({
  page,
}) => {
  await page.goto(`/?search=${WORD}`);
  await expectAlive(page);
  const sort = page.getByLabel('Sort by');
  await sort.selectOption({ label: 'Price: high to low' });
  await expect(cards(page).first()).toContainText(DEAR);
  await page.goBack();
  await expect(page).toHaveURL(/\?search=\w+$/);
  await expect(sort).toHaveValue('best');
  await expect(cards(page).first()).toContainText(NEAR);
  await page.goForward();
  await expect(sort).toHaveValue('price_desc');
  await expect(cards(page).first()).toContainText(DEAR);
  await page
    .getByRole('navigation', { name: 'Popular categories' })
    .getByRole('link', { name: /Sports/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`\\?category=[^&]+&search=${WORD}&sort=price_desc$`));
  await page.getByRole('banner').getByRole('link', { name: 'Browse' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(sort).toHaveValue('newest');
  await page.goBack();
  await expect(sort).toHaveValue('price_desc');
  await expect(cards(page).first()).toContainText(DEAR);
});

test('Back and Forward undo and repeat each use of the sheet', async ({ page }) => {
  await page.goto('/categories');
  await page.goto(`/?search=${WORD}`);
  await expectAlive(page);
  const use = async (...labels: string[]) => {
    await openSheet(page).click();
    for (const label of labels) await sheet(page).getByLabel(label, { exact: true }).click();
    await sheet(page).getByRole('button', { name: 'Close filters' }).click();
    await expect(sheet(page)).toHaveCount(0);
  };
  const expectFilters = (filters: string, more = '&showSold=true') =>
    expect(page).toHaveURL(new RegExp(`/\\?${filters}search=${WORD}${more}$`));
  await use('Good', 'Show sold');
  await expectFilters('condition=good&');
  await use('New');
  await expectFilters('condition=new%2Cgood&');
  await page.goBack();
  await expectFilters('condition=good&');
  await use('Like new');
  await expectFilters('condition=like_new%2Cgood&');
  await page.goBack();
  await expectFilters('condition=good&');
  await page.goBack();
  await expectFilters('', '');
  await page.goForward();
  await expectFilters('condition=good&');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/\/categories$/);
});

test('a search without results offers looser ones', async ({ page }) => {
  await page.goto(`/?search=${WORD}&near=${CITIES.eugene.placeId}&radius=10&maxPrice=200`);
  await expectAlive(page);
  await expect(page.getByText('No ads found')).toBeVisible();
  const looser = page.getByRole('button', { name: /^\d+ ads within 250 / });
  await expect(looser).toBeVisible();
  await inspect(page, 'nothing-found');
  await looser.click();
  await expect(page).toHaveURL(/radius=250/);
  await expect(cards(page).first()).toBeVisible();
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });
  test('an address with all filters has its ads, a title and a canonical address', async ({ page, baseURL }) => {
    const filters = {
      category: 'sports',
      condition: 'good',
      'd.size': 'M',
      maxPrice: '200',
      near: CITIES.beaverton.placeId,
      radius: '50',
      search: WORD,
    };
    const address = (more: Record<string, string>) => `/?${new URLSearchParams({ ...filters, ...more })}`;
    await page.goto(address({ sort: 'nearest', utm_source: 'elsewhere' }));
    await expect(page.getByText(`${FITTING} results`, { exact: true })).toBeVisible();
    await expect(cards(page).first()).toContainText(CLOSE);
    await expect(page).toHaveTitle(new RegExp(`^“${WORD}” near Beaverton`));
    // A filtered list is not indexed; its address without the order is that of its card.
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex');
    const ogUrl = await page.locator('meta[property="og:url"]').getAttribute('content');
    expect(new URL(ogUrl ?? '', baseURL).searchParams.toString()).toBe(new URLSearchParams(filters).toString());
    await page.goto('/?category=sports&sort=price_desc');
    await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', /\/categories\?category=sports$/);
    await page.goto('/categories?category=sports&sort=price_asc');
    const prices = await cards(page).locator('p:first-child').allTextContents();
    const amounts = prices.map((text) =>
      Number(
        text
          .replace(/^Free/, '0')
          .replace(/[^\d.].*$/, '')
          .replace('$', ''),
      ),
    );
    expect(amounts.length).toBeGreaterThan(10);
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
  });
});
