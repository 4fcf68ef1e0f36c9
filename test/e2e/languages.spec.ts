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
