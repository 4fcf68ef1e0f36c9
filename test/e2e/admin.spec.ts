import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { PASSWORD } from '../harness/factories.ts';
import { expectSettled } from './alive.ts';
import { watchConsole } from './audit.ts';
import { createAdmin, createUser, listAds, postAds, SELLER } from './content.ts';
import { inspect } from './inspect.ts';

// Unique per run, because other tests also leave ads and users.
const WORD = `Moderated${randomBytes(3).toString('hex')}`;

const enter = async (page: Page): Promise<void> => {
  const login = await createAdmin();
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Admin Login' }).click();
  const dialog = page.getByRole('dialog', { name: 'Administrator Login' });
  await dialog.getByLabel('Username').fill(login);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign In as Admin' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Administration' })).toBeVisible();
};

const toast = (page: Page, text: string) => page.locator('[data-slot=toast]').filter({ hasText: text });

test('the gate asks nothing of the server, turns a wrong password away and lets the right one in', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => (request.url().includes('/api/admin/') ? calls.push(request.url()) : 0));
  await page.goto('/admin');
  await expect(page.getByText('This area is restricted to administrators only.')).toBeVisible();
  expect(calls).toEqual([]);
  await page.getByRole('button', { name: 'Admin Login' }).click();
  const dialog = page.getByRole('dialog');
  const password = dialog.getByLabel('Password', { exact: true });
  await dialog.getByLabel('Username').fill('nobody');
  await password.fill('wrong password');
  await dialog.getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await dialog.getByRole('button', { name: 'Sign In as Admin' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Invalid admin credentials');
  await page.keyboard.press('Escape');
  await expectSettled(page);
  await enter(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Administration' }), 'still signed in').toBeVisible();
});

test('an ad is rejected with a reason that its owner reads, approved, and deleted after a question', async ({
  page,
  browser,
}) => {
  const problems = watchConsole(page);
  await enter(page);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Banned words').fill(WORD);
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toast(page, 'Settings saved successfully')).toBeVisible();
  await postAds(page.request, 1, WORD);

  await page.getByRole('tab', { name: 'Ads' }).click();
  await expect(page).toHaveURL(/tab=ads/);
  await page.getByPlaceholder('Search title or description').fill(WORD);
  const row = page.getByRole('row').filter({ hasText: WORD });
  await expect(row).toContainText('Pending');
  await row.getByRole('button', { name: /^View details/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  const question = page.getByRole('alertdialog', { name: 'Reject ad' });
  await expect(question).toContainText('leaves public view. Its owner keeps it and sees the reason.');
  await question.getByLabel('Reason for the owner (optional)').fill('No such things here');
  await question.getByRole('button', { name: 'Reject' }).click();
  await expect(toast(page, 'Ad status updated successfully')).toBeVisible();
  await expect(page.getByRole('dialog')).toContainText('No such things here');

  const owner = await browser.newPage();
  await owner.addInitScript((id) => localStorage.setItem('testUser', id), SELLER);
  await owner.goto('/dashboard');
  await expect(owner.getByRole('row').filter({ hasText: WORD })).toContainText('No such things here');
  await owner.close();
  expect(await listAds(page.request, `?search=${WORD}`)).toEqual([]);

  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await expect(page.getByRole('dialog').getByText('Active', { exact: true })).toBeVisible();
  await expect.poll(() => listAds(page.request, `?search=${WORD}`)).toHaveLength(1);
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();

  await row.getByRole('button', { name: /^Delete/ }).click();
  const deletion = page.getByRole('alertdialog', { name: 'Delete ad' });
  await expect(deletion).toContainText(
    `Are you sure you want to delete "${WORD} no. 1"? This action cannot be undone.`,
  );
  await deletion.getByRole('button', { name: 'Cancel' }).click();
  await expect(row, 'cancelled').toBeVisible();
  await row.getByRole('button', { name: /^Delete/ }).click();
  await deletion.getByRole('button', { name: 'Delete Ad' }).click();
  await expect(page.getByText('No ads found')).toBeVisible();
  await expect.poll(() => listAds(page.request, `?search=${WORD}`)).toEqual([]);

  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Banned words').fill('');
  await page.getByRole('button', { name: 'Save Settings' }).click();
  await expect(toast(page, 'Settings saved successfully')).toBeVisible();
  expect(problems).toEqual([]);
});

test('a user is banned after a question, turned away, and let in again', async ({ page, browser }) => {
  const { id, username } = await createUser('Paul Plantman');
  await enter(page);
  await page.getByLabel('Search users').fill(username);
  const row = page.getByRole('row').filter({ hasText: `@${username}` });
  await row.getByRole('button', { name: /^Ban/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Ban Paul Plantman' });
  await expect(question).toContainText(
    'Are you sure you want to ban Paul Plantman? This action will prevent them from accessing the platform.',
  );
  await question.getByLabel('Reason for the person (optional)').fill('Sold the same plant twice');
  await question.getByRole('button', { name: 'Ban User' }).click();
  await expect(toast(page, 'User banned successfully')).toBeVisible();
  await expect(row).toContainText('Banned');

  const banned = await browser.newPage();
  await banned.addInitScript((value) => localStorage.setItem('testUser', value), id);
  await banned.goto('/dashboard');
  await expect(banned.getByText('Please sign in to access your dashboard')).toBeVisible();
  await banned.close();

  await row.getByRole('button', { name: /^View details/ }).click();
  const details = page.getByRole('dialog', { name: 'User details' });
  await expect(details).toContainText('Sold the same plant twice');
  await details.getByRole('button', { name: 'Unban User' }).click();
  await expect(toast(page, 'User unbanned successfully')).toBeVisible();
  await expect(details.getByRole('button', { name: 'Ban User' })).toBeVisible();
  await details.getByRole('button', { name: 'Send Message' }).click();
  const message = page.getByRole('dialog', { name: /^Message to / });
  await message.getByLabel('Title').fill('Your plants');
  await message.getByLabel('Text').fill('Please sell each of them once.');
  await message.getByRole('button', { name: 'Send Message' }).click();
  await expect(toast(page, 'Message sent')).toBeVisible();
});

test('passwords are changed only when both new ones are the same', async ({ page }) => {
  await enter(page);
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password', { exact: true }).fill('a better password');
  await page.getByLabel('Confirm new password').fill('another password');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(toast(page, 'New passwords do not match')).toBeVisible();
  await page.getByLabel('Confirm new password').fill('a better password');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(toast(page, 'Password changed successfully')).toBeVisible();
});

test('an imprint is previewed, saved, read by a visitor, restored and removed', async ({ page, browser }) => {
  const problems = watchConsole(page);
  await enter(page);
  await page.getByRole('tab', { name: 'Pages' }).click();
  await page.getByLabel('Page', { exact: true }).selectOption('Imprint');
  await expect(page).toHaveURL(/page=imprint/);
  const text = page.getByLabel('Text', { exact: true });
  await expect(text).toHaveValue('');
  await text.fill('Ann Ample\n\n## Register\n\nSee our [terms](/terms-of-service). <b>No. 1</b>');
  const preview = page.getByRole('region', { name: 'Preview of the page' });
  await expect(preview.getByRole('heading', { name: 'Register' })).toBeVisible();
  await expect(preview.getByText('<b>No. 1</b>')).toBeVisible();
  await page.getByRole('button', { name: 'Save Page' }).click();
  await expect(toast(page, 'The page shows it within a second.')).toBeVisible();

  const visitor = await browser.newPage();
  await expect
    .poll(async () => {
      await visitor.goto('/');
      return visitor.getByRole('contentinfo').getByRole('link', { name: 'Imprint' }).count();
    })
    .toBe(1);
  await visitor.getByRole('contentinfo').getByRole('link', { name: 'Imprint' }).click();
  await expect(visitor.getByRole('heading', { level: 1, name: 'Imprint' })).toBeVisible();
  await expect(visitor.getByText(/^Last updated: /)).toBeVisible();
  await inspect(visitor, 'imprint');
  await visitor.getByRole('main').getByRole('link', { name: 'terms' }).click();
  await expect(visitor.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();

  await text.fill('Bob Bean');
  await page.getByRole('button', { name: 'Save Page' }).click();
  await expect(page.getByRole('button', { name: /^Show the version of/ })).toHaveCount(1);
  await page.getByRole('button', { name: /^Show the version of/ }).click();
  const version = page.getByRole('dialog');
  await expect(version.getByText('Ann Ample')).toBeVisible();
  await version.getByRole('button', { name: 'Restore This Version' }).click();
  await expect(text).toHaveValue(/^Ann Ample/);

  await page.getByRole('button', { name: 'Remove the Imprint' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(toast(page, 'There is no such imprint now.')).toBeVisible();
  await expect.poll(async () => (await visitor.goto('/imprint'))?.status()).toBe(404);
  await expect(visitor.getByRole('heading', { level: 1, name: 'Page Not Found' })).toBeVisible();
  await visitor.close();
  expect(problems).toEqual([]);
});

test('a category is added, moved, renamed, switched off and merged away', async ({ page, browser }) => {
  const problems = watchConsole(page);
  const name = `Gnomes ${randomBytes(3).toString('hex')}`;
  await enter(page);
  await page.getByRole('tab', { name: 'Categories' }).click();
  await page.getByRole('button', { name: 'Add a Category' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Icon').selectOption('sprout');
  await dialog.getByRole('button', { name: 'Add Category' }).click();
  await expect(toast(page, `Pages show ${name} within a second.`)).toBeVisible();
  const rows = page.getByRole('tabpanel').getByRole('listitem');
  await expect(rows.last()).toContainText(name);
  await page.getByRole('button', { name: `Move ${name} up` }).click();
  await expect(rows.nth(-2)).toContainText(name);

  await page.getByRole('button', { name: `Edit ${name}` }).click();
  await dialog.getByLabel('Slug').fill('books');
  await dialog.getByRole('button', { name: 'Save Category' }).click();
  await expect(dialog.getByRole('alert')).toContainText('already');
  const slug = `moved-${randomBytes(3).toString('hex')}`;
  await dialog.getByLabel('Slug').fill(slug);
  await dialog.getByRole('button', { name: 'Save Category' }).click();
  await expect(dialog).toBeHidden();
  const visitor = await browser.newPage();
  await visitor.goto(`/categories?category=${encodeURIComponent(name)}`);
  await expect(visitor).toHaveURL(new RegExp(`category=${slug}`));

  await page.getByRole('button', { name: `Switch ${name} off` }).click();
  await expect(page.getByRole('button', { name: `Switch ${name} on` })).toBeVisible();
  await page.getByRole('button', { name: `Merge ${name}` }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Into').selectOption('Art & Crafts');
  await question.getByRole('button', { name: 'Merge' }).click();
  await expect(toast(page, '0 ads moved to Art & Crafts.')).toBeVisible();
  await expect(page.getByText(name, { exact: true })).toHaveCount(0);
  await expect
    .poll(async () => {
      await visitor.goto(`/categories?category=${slug}`);
      return visitor.url();
    })
    .toContain('category=art');
  await visitor.close();
  // the slug that was taken
  expect(problems).toEqual([expect.stringContaining('409')]);
});
