import { type Browser, expect, type Page, test } from '@playwright/test';
import type { Language } from '../../contract/languages.ts';
import { type OwnMarketplace, startOwnMarketplace } from '../harness/own-marketplace.ts';

let marketplace: OwnMarketplace;
test.beforeAll(async () => {
  marketplace = await startOwnMarketplace({ settings: { LOCALES: 'en,de,ar,en-XA,ar-XB', AUTH_TEST_USERS: 'on' } });
});
test.afterAll(() => marketplace?.remove());

/** A page in a language, as a phone of the smallest width or a desktop shows it. Errors of hydration fail the test. */
const openIn = async (
  browser: Browser,
  language: Language,
  path: string,
  { width = 1280, userId = '' } = {},
): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  await context.addCookies([{ name: 'language', value: language, url: marketplace.address }]);
  const page = await context.newPage();
  if (userId) await page.addInitScript((id) => localStorage.setItem('testUser', id), userId);
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(marketplace.address + path, { waitUntil: 'networkidle' });
  return page;
};

test('the browser’s language is spoken, and another one is chosen in the footer', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-AT' });
  const page = await context.newPage();
  await page.goto(`${marketplace.address}/safety-tips`);
  await expect(page).toHaveTitle(/^Sicherheitstipps \|/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('contentinfo').getByLabel('Sprache').selectOption('ar');
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.getByRole('button', { name: 'تسجيل الدخول' })).toBeVisible();
  await page.reload();
  await expect(page).toHaveTitle(/^نصائح السلامة \|/);
  await context.close();
});

test('the frame of an Arabic page is mirrored', async ({ browser }) => {
  const page = await openIn(browser, 'ar', '/');
  const brand = await page.getByRole('banner').getByRole('link').first().boundingBox();
  expect(brand?.x).toBeGreaterThan(800);
  await page.context().close();
});

/** What people and programs wrote: names, addresses, code. */
const WRITTEN = 'option, bdi, code, time, [translate=no], [dir=auto]';

/** Texts of these parts that are in no catalog: without brackets, and with a vowel that the pseudo-language gives an accent. */
const findForeign = (page: Page, selector: string): Promise<string[]> =>
  page.locator(selector).evaluateAll((parts, written) => {
    const texts = parts.flatMap((part) => {
      const found: string[] = [];
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!node.parentElement?.closest(written)) found.push(node.textContent ?? '');
      for (const element of part.querySelectorAll('[aria-label], [placeholder], [title]'))
        for (const name of ['aria-label', 'placeholder', 'title']) found.push(element.getAttribute(name) ?? '');
      return found;
    });
    return texts
      .map((text) => text.trim())
      .filter(
        (text) =>
          /\p{Letter}{2}/u.test(text) && /[aeiou]/i.test(text) && !text.includes('@') && !/^\[.*\]$/s.test(text),
      );
  }, WRITTEN);

/** What is moved to catalogs: a selector of it, by page. */
const MOVED: [path: string, selector: string][] = [
  ['/', 'header, footer, [data-slot=tab-bar], main h1, main h2, main [role=status], section[aria-label] label'],
  ['/nothing-here', 'header, footer, main, [data-slot=tab-bar]'],
];

for (const [path, selector] of MOVED)
  test(`${path} has no text without brackets, and none that is too long for a small phone`, async ({ browser }) => {
    const page = await openIn(browser, 'en-XA', path, { width: 320 });
    expect(await findForeign(page, selector)).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await page.context().close();
  });

const OF_PERSON = [
  '/preferences',
  '/dashboard?tab=buying',
  '/dashboard?tab=saved',
  '/messages',
  '/decisions',
  '/create-ad',
  '/saved-searches/1',
  '/users/nobody-here',
];
const OF_LINKS = ['/recover', '/ban', '/unsubscribe', '/verify-email', '/still-available'];

/** The seller of the sample, whom the development panel offers. */
const SELLER = '1001';

test('every page of a person speaks the language, and fits into a small phone', async ({ browser }) => {
  for (const path of [...OF_PERSON, ...OF_LINKS]) {
    const page = await openIn(browser, 'en-XA', path, { width: 320, userId: SELLER });
    await expect(page.getByRole('main').locator('h1, h2').first()).toHaveText(/^\[.*\]$/);
    expect.soft(await findForeign(page, 'main'), path).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect.soft(wide, path).toBeLessThanOrEqual(0);
    await page.context().close();
  }
});

test('no page from right to left scrolls sideways', async ({ browser }) => {
  for (const path of ['/', '/categories', '/nothing-here']) {
    const page = await openIn(browser, 'ar-XB', path, { width: 320 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide, path).toBeLessThanOrEqual(0);
    await page.context().close();
  }
});
