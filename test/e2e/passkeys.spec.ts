import { expect, type Page, test } from '@playwright/test';
import { expectAlive, expectSettled } from './alive.ts';
import { openDevice } from './device.ts';
import { inspect } from './inspect.ts';
import { joinX, signInAs, signOut } from './people.ts';
import { openAs } from './viewers.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Passkeys' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).locator('visible=true');

const openPasskeys = async (page: Page): Promise<void> => {
  await page.goto('/preferences#passkeys');
  await expectAlive(page);
  await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeFocused();
};

const signInWithPasskey = async (page: Page): Promise<void> => {
  await button(page, 'Sign In').first().click();
  await button(page, 'Sign in with a passkey').press('Enter');
};

/** A page was loaded for it, the one of administrators under the dialog. */
const expectSignedIn = async (page: Page): Promise<void> => {
  await expect(page.getByRole('link', { name: /^Messages/ }).first()).toBeVisible();
  await expectAlive(page);
  await expectSettled(page);
};

test('a person adds a passkey, signs in with it, names it and removes it', async ({ browser }) => {
  const { page, problems, close } = await signInAs(browser, await joinX('kay'));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const device = await openDevice(page);
  await openPasskeys(page);
  await inspect(page, 'passkeys-none');

  await test.step('a wrong finger adds nothing, and the page says what to do', async () => {
    await device.setVerified(false);
    await button(page, 'Add a passkey').click();
    await expect(section(page).getByRole('alert')).toContainText('Try again');
    await inspect(page, 'passkeys-cancelled');
    await device.setVerified(true);
  });

  await test.step('it is added and named after the browser', async () => {
    await button(page, 'Add a passkey').press('Enter');
    await expect(section(page).getByText(/^Chrome on /)).toBeVisible();
    await expect(section(page).getByText('Not used yet')).toBeVisible();
    expect(await device.countPasskeys()).toBe(1);
  });

  await test.step('the same device adds no second one', async () => {
    await button(page, 'Add a passkey').click();
    await expect(section(page).getByRole('alert')).toHaveText(
      'This device has a passkey for your account already. Use that one, or choose another device.',
    );
  });

  await test.step('its name changes', async () => {
    await section(page)
      .getByRole('button', { name: /^Rename / })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Rename passkey' });
    await inspect(page, 'passkeys-rename');
    await dialog.getByLabel('Name').fill('My phone');
    await dialog.getByLabel('Name').press('Enter');
    await expect(section(page).getByText('My phone')).toBeVisible();
    await inspect(page, 'passkeys-one');
  });

  await test.step('it signs in without a name, from the dialog and from the page of administrators', async () => {
    await signOut(page);
    await device.setVerified(false);
    await signInWithPasskey(page);
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText('or sign in in another way');
    await inspect(page, 'sign-in-passkey-cancelled');
    await device.setVerified(true);
    await button(page, 'Sign in with a passkey').click();
    await expectSignedIn(page);
    await openPasskeys(page);
    await expect(section(page).getByText('Last used just now')).toBeVisible();
    await signOut(page);
    await page.goto('/admin');
    await button(page, 'Admin Login').click();
    await inspect(page, 'admin-sign-in');
    await button(page, 'Sign in with a passkey').click();
    await expectSignedIn(page);
  });

  await test.step('once removed, it opens nothing', async () => {
    await openPasskeys(page);
    await button(page, 'Remove My phone').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(section(page).getByText('My phone')).toBeHidden();
    await signOut(page);
    await signInWithPasskey(page);
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      'We do not know this passkey. Sign in in another way.',
    );
  });
  expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  await close();
});

test('an administrator switches the password off, once there is a passkey', async ({ browser }) => {
  const { page, close } = await openAs(browser, { viewer: 'admin' });
  await openDevice(page);
  const switchOff = async () => {
    await page.goto('/admin?tab=settings');
    await expectAlive(page);
    await button(page, 'Switch the password off').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
  };
  await switchOff();
  await expect(page.getByText('Add a passkey in Preferences first.').first()).toBeVisible();
  await inspect(page, 'admin-password-on');
  await openPasskeys(page);
  await button(page, 'Add a passkey').click();
  await expect(section(page).getByText(/^Chrome on /)).toBeVisible();
  await switchOff();
  await expect(page.getByText('Sign in with a passkey from now on.').first()).toBeVisible();
  await expect(button(page, 'Switch the password off')).toBeHidden();
  await signOut(page);
  await page.goto('/admin');
  await button(page, 'Admin Login').click();
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByRole('tab', { name: 'Settings' })).toBeVisible();
  await close();
});
