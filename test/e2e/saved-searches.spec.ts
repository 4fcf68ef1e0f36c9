import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

const post = async ({ page }: Person, title: string): Promise<void> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const data = { title, description: 'Plays well.', price: '120', category: 'musical-instruments' };
  const reply = await page.request.post('/api/ads', { headers, data });
  expect(reply.status()).toBe(201);
};

test('a buyer saves a search without results, is notified of the first ad, and opens the list of the next', async ({
  browser,
}) => {
  const seller = await signInAs(browser, await joinX('lea'));
  const buyer = await signInAs(browser, await joinX('tom'), true);
  const { page } = buyer;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const word = `nyckelharpa${randomBytes(3).toString('hex')}`;

  await page.goto(`/?search=${word}&maxPrice=300`);
  await expectAlive(page);
  await expect(page.getByText('Save this search and we tell you about new ads.')).toBeVisible();
  await page.getByRole('button', { name: 'Save this search' }).tap();
  await expect(page.getByLabel('Name')).toHaveValue(`${word}, up to $300`);
  await inspect(page, 'save-search');
  await page.getByLabel('Name').fill('Key harps');
  await page.getByRole('button', { name: 'Save Search' }).tap();
  await page.getByRole('button', { name: 'View saved searches' }).tap();
  const list = page.getByRole('region', { name: 'Saved Searches' });
  await expect(list.getByRole('link', { name: 'Key harps' })).toBeVisible();
  await expect(list.getByText(`“${word}” · up to $300 · Notifies instantly`)).toBeVisible();

  await post(seller, `A ${word}`);
  await expect(async () => {
    await page.goto('/notifications');
    await expect(page.getByText('New ad for “Key harps”')).toBeVisible({ timeout: 2000 });
  }).toPass();
  await inspect(page, 'notification-search');
  await page.getByText('New ad for “Key harps”').tap();
  await expect(page.getByRole('heading', { name: `A ${word}` })).toBeVisible();

  await post(seller, `Another ${word}`);
  await expect(async () => {
    await page.goto('/dashboard?tab=saved');
    await expect(list.getByText('2 new')).toBeVisible({ timeout: 2000 });
  }).toPass();
  await list.scrollIntoViewIfNeeded();
  await inspect(page, 'dashboard-searches');
  await list.getByRole('link', { name: 'Key harps' }).tap();
  await expect(page).toHaveURL(new RegExp(`\\?maxPrice=300&search=${word}$`));
  await expect(page.getByText('2 results', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Saved ✓ ?, delete this saved search$/ })).toBeVisible();
  await inspect(page, 'list-search-saved');

  await page.goto('/dashboard?tab=saved');
  await expect(list.getByText('2 new')).toBeHidden();
  await list.getByRole('button', { name: 'Edit Key harps' }).tap();
  await page.getByLabel(/^Daily/).check();
  await page.getByRole('button', { name: 'Save Changes' }).tap();
  await expect(list.getByText('Notifies daily')).toBeVisible();
  await list.getByRole('button', { name: 'Delete Key harps' }).tap();
  await inspect(page, 'delete-search');
  await page.getByRole('button', { name: 'Delete', exact: true }).tap();
  await expect(list.getByText('You have no saved searches.')).toBeVisible();
  await inspect(page, 'dashboard-searches-none');
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('a visitor who wants to save a search signs in', async ({ page }) => {
  await page.goto('/categories?category=furniture');
  await expectAlive(page);
  await page.getByRole('button', { name: 'Save this search' }).click();
  await expect(page.getByRole('button', { name: 'Continue with X' })).toBeVisible();
});
