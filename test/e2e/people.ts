import { type Browser, expect, type Locator, type Page } from '@playwright/test';

export interface Person {
  page: Page;
  /** Console errors and uncaught exceptions of our own pages, seen so far. */
  problems: string[];
  close: () => Promise<void>;
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** Collects what a person with open developer tools would see in red; X's own pages are not ours to judge. */
const watchProblems = (page: Page, origin: string): string[] => {
  const problems: string[] = [];
  page.on('console', (message) => {
    const { url } = message.location();
    // Any network interface of the machine came or went, such as a container's: nothing of ours.
    if (message.text().includes('ERR_NETWORK_CHANGED')) return;
    if (message.type() === 'error' && url.startsWith(origin)) problems.push(`${message.text()} (${url})`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return problems;
};

/** The first page comes drawn by the server: a button that is there already does something once its script has come, too. */
const clickUntil = (button: Locator, wanted: Locator): Promise<void> =>
  expect(async () => {
    if (!(await wanted.isVisible())) await button.click();
    await expect(wanted).toBeVisible({ timeout: 1000 });
  }).toPass();

/** A person with a browser of their own, signed in through X's consent page by clicking. */
export const signInAs = async (browser: Browser, username: string, onPhone = false): Promise<Person> => {
  const context = await browser.newContext(onPhone ? PHONE : {});
  const page = await context.newPage();
  await page.goto('/');
  const { origin } = new URL(page.url());
  const problems = watchProblems(page, origin);
  const signIn = page.getByRole('button', { name: 'Sign In', exact: true }).first();
  const goOn = page.getByRole('button', { name: 'Continue with X' });
  if (onPhone) await clickUntil(page.getByRole('button', { name: /menu/i }).first(), signIn);
  await clickUntil(signIn, goOn);
  await goOn.click();
  await page.getByRole('button', { name: `@${username}` }).click();
  await page.getByRole('button', { name: 'Authorize app' }).click();
  await page.waitForURL((url) => url.origin === origin && url.pathname === '/');
  await expect(page.getByRole('link', { name: /^Messages/ }).first()).toBeVisible();
  return { page, problems, close: () => context.close() };
};
