import { type Browser, expect, type Page } from '@playwright/test';

export interface Person {
  page: Page;
  /** Their X handle. */
  username: string;
  /** Console errors, uncaught exceptions and failed requests seen so far. */
  problems: string[];
  close: () => Promise<void>;
}

const PHONE = { width: 390, height: 844 };

/** A person with a browser of their own, signed in through X's consent page by clicking. */
export const signInAs = async (browser: Browser, username: string, onPhone = false): Promise<Person> => {
  const context = await browser.newContext(onPhone ? { viewport: PHONE, hasTouch: true, isMobile: true } : {});
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => (message.type() === 'error' ? problems.push(message.text()) : undefined));
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto('/');
  if (onPhone) await page.getByRole('button', { name: /menu/i }).first().click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).first().click();
  await page.getByRole('button', { name: 'Continue with X' }).click();
  await page.getByRole('button', { name: `@${username}` }).click();
  await page.getByRole('button', { name: 'Authorize app' }).click();
  await page.waitForURL((url) => url.pathname === '/' && url.port !== '');
  await expect(page.getByRole('link', { name: /^Messages/ }).first()).toBeVisible();
  return { page, username, problems, close: () => context.close() };
};
