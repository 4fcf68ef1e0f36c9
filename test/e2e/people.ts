import { randomBytes } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import type { Persona } from '../../local/x-simulator/state.ts';
import { expectAlive, expectSettled } from './alive.ts';
import { isOfTheMachine } from './audit.ts';

export interface Person {
  page: Page;
  problems: string[];
  close: () => Promise<void>;
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const watchProblems = (page: Page, origin: string): string[] => {
  const problems: string[] = [];
  page.on('console', (message) => {
    const { url } = message.location();
    if (isOfTheMachine(message)) return;
    if (message.type() === 'error' && url.startsWith(origin)) problems.push(`${message.text()} (${url})`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return problems;
};

/** Creates an account in the X simulator that is unique even across retries. Returns its name. */
export const joinX = async (
  name: string,
  more: Partial<Persona> = {},
  sandbox = process.env.E2E_X_SANDBOX,
): Promise<string> => {
  const suffix = randomBytes(3);
  const username = `${name}_${suffix.toString('hex')}`;
  const body = JSON.stringify({ ...more, username, id: `77${suffix.readUIntBE(0, 3)}` });
  const reply = await fetch(`${sandbox}/__sandbox/personas`, { method: 'POST', body });
  expect(reply.status).toBe(201);
  return username;
};

/** Signs a user in through X's consent page in a separate browser context. */
export const signInAs = async (browser: Browser, username: string, onPhone = false): Promise<Person> => {
  const context = await browser.newContext(onPhone ? PHONE : {});
  return signInOn(await context.newPage(), username, onPhone);
};

/** Signs a user in through X's consent page. */
export const signInOn = async (page: Page, username: string, onPhone = false): Promise<Person> => {
  await page.goto('/');
  await expectAlive(page);
  const { origin } = new URL(page.url());
  const problems = watchProblems(page, origin);
  if (onPhone) await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).locator('visible=true').first().click();
  await page.getByRole('button', { name: 'Continue with X' }).click();
  await page.getByRole('button', { name: `@${username}` }).click();
  await page.getByRole('button', { name: 'Authorize app' }).click();
  await page.waitForURL((url) => url.origin === origin && url.pathname === '/');
  await expect(page.getByRole('link', { name: /^Messages/ }).first()).toBeVisible();
  await expectAlive(page);
  return { page, problems, close: () => page.context().close() };
};

/**
 * Signs out by the menu of a wide page. Behind the back of the page (a request of its own) that would be a race: the page learns of it
 * and loads itself again.
 */
export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(
    page.getByRole('button', { name: 'Sign In', exact: true }).locator('visible=true').first(),
  ).toBeVisible();
  await expectSettled(page);
};
