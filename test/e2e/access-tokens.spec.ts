import { expect, type Page, request, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, signInAs } from './people.ts';

const section = (page: Page) => page.getByRole('region', { name: 'Access tokens' });

test('a person makes a token, a program uses it, and it ends when it is revoked', async ({ browser, baseURL }) => {
  const { page, problems, close } = await signInAs(browser, await joinX('toni'));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/preferences#access-tokens');
  await expectAlive(page);
  await expect(page.getByRole('heading', { name: 'Access tokens' })).toBeFocused();
  await inspect(page, 'access-tokens-none');

  const dialog = page.getByRole('dialog', { name: 'New access token' });
  await test.step('the form says what is missing', async () => {
    await section(page).getByRole('button', { name: 'New token' }).press('Enter');
    await dialog.getByRole('button', { name: 'Make token' }).click();
    await expect(dialog.getByText('Choose what the token may do')).toBeVisible();
    await inspect(page, 'access-tokens-form');
  });

  const token = await test.step('it is shown once, and copied', async () => {
    await dialog.getByLabel('Name').fill('My shop');
    await dialog.getByLabel(/profile:read$/).check();
    await dialog.getByLabel(/ads:write$/).check();
    await dialog.getByLabel('It works for').selectOption('30 days');
    await dialog.getByLabel('Name').press('Enter');
    const shown = page.getByRole('dialog', { name: 'Your access token' });
    await expect(shown.getByLabel('Access token')).toHaveValue(/^tp_pat_[0-9A-Za-z]{36}$/);
    await expect(shown.getByLabel('Access token')).toBeFocused();
    await inspect(page, 'access-tokens-shown');
    await shown.getByRole('button', { name: 'Copy' }).click();
    await expect(page.getByText('Token copied').first()).toBeVisible();
    const value = await page.evaluate(() => navigator.clipboard.readText());
    expect(value).toBe(await shown.getByLabel('Access token').inputValue());
    await shown.getByRole('button', { name: 'Done' }).click();
    await expect(section(page).getByText('ads:write, profile:read')).toBeVisible();
    await expect(section(page).getByText('Not used yet')).toBeVisible();
    await inspect(page, 'access-tokens-one');
    return value;
  });

  const program = await request.newContext({ baseURL, extraHTTPHeaders: { Authorization: `Bearer ${token}` } });
  const call = async () => (await program.get('/api/auth/me')).status();
  await test.step('a program uses it, and the list says so', async () => {
    expect(await call()).toBe(200);
    await page.reload();
    await expectAlive(page);
    await expect(section(page).getByText('Last used just now')).toBeVisible();
  });

  await test.step('its person hears of it, and is led back', async () => {
    await page.goto('/notifications');
    await page.getByText('An access token was made for your account').first().click();
    await expect(page.getByRole('heading', { name: 'Access tokens' })).toBeFocused();
  });

  await test.step('it is revoked after a question', async () => {
    await section(page)
      .getByRole('button', { name: /^Revoke My shop/ })
      .press('Enter');
    await inspect(page, 'access-tokens-revoke');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(section(page).getByText('My shop')).toBeHidden();
    expect(await call()).toBe(401);
  });
  await program.dispose();
  expect(problems).toEqual([]);
  await close();
});
