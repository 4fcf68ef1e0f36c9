import { expect, test } from '@playwright/test';
import { openAs } from './viewers.ts';

test('the browser’s language is spoken, and another one is chosen in the footer', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-AT' });
  const page = await context.newPage();
  await page.goto('/safety-tips');
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
  const { page, problems, close } = await openAs(browser, { language: 'ar' });
  await page.goto('/');
  const brand = await page.getByRole('banner').getByRole('link').first().boundingBox();
  expect(brand?.x).toBeGreaterThan(800);
  expect(problems).toEqual([]);
  await close();
});

test('on an Arabic page, an English title that is too long loses its end', async ({ browser }) => {
  const { page, close } = await openAs(browser, { language: 'ar' });
  await page.goto('/');
  const title = page.getByRole('article').getByText('Basketball').first();
  // as far as it reaches: the box that is cut, and that has the direction of the words
  const box = title.locator('xpath=ancestor-or-self::*[contains(@class, "line-clamp")][1]');
  await expect(box).toHaveCSS('overflow', 'hidden');
  await expect(box).toHaveCSS('direction', 'ltr');
  await close();
});
