import { mkdirSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { expectAccessible, expectNoSidewaysScroll, watchConsole } from './audit.ts';
import { newWord, postAds } from './content.ts';

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
  expect(await options(page)).toEqual([STERN, GOLD]);
  await expect(page.locator('#announcer')).toHaveText('2 suggestions');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(option(page, GOLD)).toHaveAttribute('aria-selected', 'true');
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list(page)).toBeHidden();
  await expect(field(page)).toHaveValue(ZIMT);
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

test('a misspelt search leads to the right one', async ({ page }) => {
  await page.goto(`/?search=${ZIMT}setrn`);
  await expectAlive(page);
  await page.getByRole('link', { name: STERN, exact: true }).click();
  await expect(page.getByText('2 results', { exact: true })).toBeVisible();
  await expect(page.getByText('Did you mean')).toBeHidden();
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
      if (width < 768) await page.getByRole('button', { name: 'Search', exact: true }).tap();
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
  await page.goto('/');
  await expectAlive(page);
  const filter = page.getByRole('searchbox', { name: 'Search', exact: true });
  await filter.pressSequentially('oak ');
  await expect(page).toHaveURL(/\?search=oak$/);
  await filter.pressSequentially('table');
  await expect(page).toHaveURL(/\?search=oak\+table$/);
  await expect(filter).toHaveValue('oak table');
});
