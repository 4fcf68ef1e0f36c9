import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { openDevice } from './device.ts';
import { inspect } from './inspect.ts';
import { receiveMail } from './mailbox.ts';
import { joinX, signInAs, signOut } from './people.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).locator('visible=true');
const passkeys = (page: Page) => page.getByRole('region', { name: 'Passkeys' });
const codes = (page: Page) => page.getByRole('region', { name: 'Recovery codes' });
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

const linkIn = (text: string): string => /https?:\/\/\S+\/recover#token=\S+/.exec(text)![0];

/** Gives the person of this page a confirmed address. */
const confirmAddress = async ({ request }: Page, email: string): Promise<void> => {
  expect((await request.put('/api/users/me/email', { headers: SAME_ORIGIN, data: { email } })).ok()).toBe(true);
  const { text } = await receiveMail(email, 'Confirm your e-mail address for Tradepost');
  const token = /verify-email\?token=(\S+)/.exec(text)![1];
  expect((await request.post('/api/email/verify', { headers: SAME_ORIGIN, data: { token } })).ok()).toBe(true);
};

/** X closes the account of this handle of `joinX`. */
const suspendAtX = async (username: string): Promise<void> => {
  const id = `77${Number.parseInt(username.split('_').at(-1)!, 16)}`;
  const address = `${process.env.E2E_X_SANDBOX}/__sandbox/personas/${id}`;
  expect((await fetch(address, { method: 'PATCH', body: JSON.stringify({ status: 'suspended' }) })).ok).toBe(true);
};

const expectPreferences = async (page: Page): Promise<void> => {
  await page.waitForURL('**/preferences#passkeys');
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible();
};

const addPasskey = async (page: Page, name: string): Promise<void> => {
  await button(page, 'Add a passkey').click();
  const unnamed = passkeys(page).getByRole('button', { name: /^Rename Chrome on / });
  await unnamed.click();
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Name').press('Enter');
  await expect(passkeys(page).getByText(name)).toBeVisible();
};

test('who loses X comes back by passkey, by mail and by code, and to a new passkey', async ({ browser }) => {
  const username = await joinX('lou');
  const email = `${username}@mail.example`;
  const { page, close } = await signInAs(browser, username);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await confirmAddress(page, email);
  let code = '';
  const phone = await openDevice(page);

  await test.step('a passkey is added while X is there', async () => {
    await page.goto('/preferences#passkeys');
    await expectAlive(page);
    await addPasskey(page, 'Old phone');
  });

  await test.step('eight codes are shown once', async () => {
    await page.goto('/preferences');
    await button(page, 'Make recovery codes').click();
    const dialog = page.getByRole('dialog', { name: 'Your recovery codes' });
    await expect(dialog.getByRole('listitem')).toHaveCount(8);
    code = (await dialog.getByRole('listitem').first().textContent())!;
    await inspect(page, 'recovery-codes-new');
    await button(page, 'I have saved them').click();
    await expect(codes(page).getByText('8 of 8 codes are left')).toBeVisible();
    await expect(page.getByText(code)).toBeHidden();
    await inspect(page, 'recovery-codes');
  });

  await suspendAtX(username);
  await signOut(page);

  await test.step('X says no', async () => {
    await button(page, 'Sign In').first().click();
    await button(page, 'Continue with X').click();
    await expect(page.getByText('is suspended')).toBeVisible();
    await page.goto('/');
    await expectAlive(page);
  });

  await test.step('the passkey signs in', async () => {
    await button(page, 'Sign In').first().click();
    await button(page, 'Sign in with a passkey').click();
    await expect(page.getByRole('link', { name: /^Messages/ }).first()).toBeVisible();
    await expectAlive(page);
    await signOut(page);
  });

  await phone.lose();

  await test.step('the dialog leads to the page', async () => {
    await button(page, 'Sign In').first().click();
    await page.getByRole('link', { name: 'Trouble signing in?' }).click();
    await expect(page.getByRole('heading', { name: 'Get back into your account' })).toBeVisible();
    await inspect(page, 'recover');
  });

  await test.step('a link by mail signs in when its button is pressed, and only once', async () => {
    await page.getByLabel('Your confirmed e-mail address').fill(email);
    await page.getByLabel('Your confirmed e-mail address').press('Enter');
    await expect(page.getByRole('heading', { name: 'Look into your inbox' })).toBeVisible();
    await inspect(page, 'recover-sent');
    const link = linkIn((await receiveMail(email, 'Sign in to Tradepost')).text);
    // a mail program that opens the link uses nothing up
    expect((await page.request.get(link)).ok()).toBe(true);
    await page.goto(link);
    await expectAlive(page);
    await inspect(page, 'recover-link');
    await button(page, 'Sign In').last().click();
    await expectPreferences(page);
    await receiveMail(email, 'Somebody signed in to your account with a recovery link');
    await signOut(page);
    await page.goto(link);
    await page.locator('main').getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByText('This link was used already. Ask for another one.')).toBeVisible();
    await inspect(page, 'recover-link-used');
  });

  await test.step('a wrong code says so, a right one signs in', async () => {
    await page.getByRole('link', { name: 'Get another link' }).click();
    await page.getByLabel('Handle').fill(`@${username}`);
    await page.getByLabel('Recovery code', { exact: true }).fill('ABCD-EFGH-JKMN-PQRS');
    await page.getByLabel('Recovery code', { exact: true }).press('Enter');
    await expect(page.getByRole('alert').filter({ hasText: 'is not right' })).toBeVisible();
    await page.getByLabel('Recovery code', { exact: true }).fill(code.toLowerCase());
    await page.getByLabel('Recovery code', { exact: true }).press('Enter');
    await expectPreferences(page);
    await expect(codes(page).getByText('7 of 8 codes are left')).toBeVisible();
  });

  await test.step('a new device has a passkey, and the old one goes', async () => {
    await openDevice(page);
    await addPasskey(page, 'New phone');
    await button(page, 'Remove Old phone').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(passkeys(page).getByText('Old phone')).toBeHidden();
    await receiveMail(email, 'A passkey was removed from your account');
    await signOut(page);
    await button(page, 'Sign In').first().click();
    await button(page, 'Sign in with a passkey').click();
    await expect(page.getByRole('link', { name: /^Messages/ }).first()).toBeVisible();
    await page.goto('/preferences#passkeys');
    await expect(passkeys(page).getByText('New phone')).toBeVisible();
  });

  await test.step('deleted codes are gone', async () => {
    await button(page, 'Delete codes').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(button(page, 'Make recovery codes')).toBeVisible();
  });
  await close();
});
