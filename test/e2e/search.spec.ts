import { mkdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll, watchConsole } from './audit.ts';
import { newWord, postAds } from './content.ts';
import { inspect } from './inspect.ts';

// Prefix of two words, "zimt…stern" and "zimt…gold".
const ZIMT = newWord('zimt');
const [STERN, GOLD] = [`${ZIMT}stern`, `${ZIMT}gold`];

test.beforeAll(async ({ playwright }) => {
  const request = await playwright.request.newContext({ baseURL: process.env.E2E_ADDRESS ?? '' });
  await postAds(request, 2, `${STERN} lantern`);
  await postAds(request, 1, `${GOLD} photograph`);
  await request.dispose();
});

const field = (page: Page) => page.getByRole('combobox', { name: 'Search ads' }).locator('visible=true');
/** The category of the ads. */
const OTHER = 'Other';
const list = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const option = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name, exact: true });
const options = (page: Page) => list(page).getByRole('option').allTextContents();

test('a search is found by typing its beginning and by keys alone', async ({ page }) => {
  const problems = watchConsole(page);
  await page.goto('/how-it-works');
  await expectAlive(page);
  await field(page).focus();
  await page.keyboard.type(ZIMT);
  await expect(option(page, STERN)).toBeVisible();
  expect(await options(page)).toEqual([STERN, GOLD, `${STERN} in ${OTHER} · 2`]);
  await expect(page.locator('#announcer')).toHaveText('3 suggestions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(option(page, GOLD)).toHaveAttribute('aria-selected', 'true');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list(page)).toBeHidden();
  await expect(field(page)).toHaveValue(ZIMT);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(option(page, GOLD)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/?search=${STERN}`);
  await expect(page.getByText('2 results', { exact: true })).toBeVisible();
  await expect(list(page)).toBeHidden();
  expect(problems).toEqual([]);
});

test('without a chosen suggestion, the search is as typed', async ({ page }) => {
  await page.goto('/');
  await expectAlive(page);
  await field(page).fill(ZIMT);
  await expect(option(page, GOLD)).toBeVisible();
  await field(page).press('Enter');
  await page.waitForURL(`**/?search=${ZIMT}`);
  await expect(page.getByText('3 results', { exact: true })).toBeVisible();
});

const note = (page: Page) => page.locator('#main').getByRole('status').last();

test('a misspelt search is put right at once, and what was typed is one link away', async ({ page }) => {
  const problems = watchConsole(page);
  const typed = `${ZIMT}setrn`;
  await page.goto(`/?search=${typed}`);
  await expectAlive(page);
  await expect(note(page)).toHaveText(`Showing results for ${STERN}. Search for ${typed} instead.`);
  await expect(page.getByText('2 results', { exact: true })).toBeVisible();
  await inspect(page, 'search-corrected');
  await page.getByRole('link', { name: `Search for ${typed} instead.` }).click();
  await expect(page).toHaveURL(`/?exact=true&search=${typed}`);
  await expect(page.getByText('No ads found')).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Other categories' }).getByRole('link')).toHaveCount(4);
  await expect(page.getByRole('button', { name: 'Save this search' })).toBeVisible();
  await inspect(page, 'search-none');
  expect(problems).toEqual([]);
});

test('where no ad has all words, those with some of them follow', async ({ page }) => {
  await page.goto(`/?search=${STERN}+xylophonist`);
  await expectAlive(page);
  await expect(note(page)).toHaveText('No ad has all of these words. Ads with some of them:');
  await expect(page.locator('#main').getByRole('article')).toHaveCount(2);
  await inspect(page, 'search-some');
});

test('a search without a word asks for one beside the latest ads, in the page of the server too', async ({ page }) => {
  const html = await (await page.request.get('/?search=!!!', { headers: { accept: 'text/html' } })).text();
  expect(html).toContain('Type a word to search for.');
  expect(html).toContain('<article');
  await page.goto('/?search=!!!');
  await expectAlive(page);
  await expect(note(page)).toHaveText('Type a word to search for.');
  await expect(page.locator('#main').getByRole('article').first()).toBeVisible();
  await inspect(page, 'search-wordless');
});

for (const [name, width] of [
  ['phone', 360],
  ['desktop', 1280],
] as const)
  for (const theme of ['light', 'dark'])
    test(`the open list is sound on a ${name} in ${theme}`, async ({ browser }) => {
      const phone = width < 768 ? { hasTouch: true, isMobile: true } : {};
      const context = await browser.newContext({ viewport: { width, height: 740 }, ...phone });
      await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
      const page = await context.newPage();
      await page.goto('/');
      await expectAlive(page);
      await field(page).pressSequentially('ph');
      await expect(option(page, /Photography/)).toBeVisible();
      await expect(option(page, 'photograph')).toBeVisible();
      await page.keyboard.press('ArrowDown');
      mkdirSync('test-results/pictures', { recursive: true });
      await page.screenshot({ path: `test-results/pictures/suggestions-${width}-${theme}.png` });
      await expectAccessible(page, `suggestions ${name} ${theme}`);
      await expectNoSidewaysScroll(page, `suggestions ${name} ${theme}`);
      await option(page, /Photography/).click();
      await page.waitForURL('**/?category=photography');
      await context.close();
    });

test('a filter keeps the blank between words that were typed with a pause', async ({ page }) => {
  await page.goto('/categories?category=vehicles');
  await expectAlive(page);
  await page.getByRole('button', { name: 'More filters' }).click();
  const filter = page.getByRole('dialog', { name: 'Filters' }).getByLabel('Make');
  await filter.pressSequentially('land ');
  await expect(page).toHaveURL(/&d\.make=land$/);
  await filter.pressSequentially('rover');
  await expect(page).toHaveURL(/&d\.make=land\+rover$/);
  await expect(filter).toHaveValue('land rover');
});
