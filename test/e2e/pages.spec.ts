import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive, expectSettled } from './alive.ts';
import { watchConsole } from './audit.ts';
import { listAds, SELLER } from './content.ts';
import { inspect } from './inspect.ts';

const beSeller = (page: Page) => page.addInitScript((id) => localStorage.setItem('testUser', id), SELLER);
/** Removes the favorites that a failed attempt has left. */
const unsave = async (page: Page, id = '') => {
  const headers = { 'X-Test-User': SELLER, 'Sec-Fetch-Site': 'same-origin' };
  const { isFavorited } = await (await page.request.get(`/api/ads/${id}/favorite-status`, { headers })).json();
  if (isFavorited) expect((await page.request.post(`/api/ads/${id}/favorite`, { headers })).ok()).toBe(true);
};
const toast = (page: Page, text: string) => page.locator('[data-slot=toast]').filter({ hasText: text });

test('the contact form names what is missing, goes there, and sends once all is there', async ({ page }) => {
  const problems = watchConsole(page);
  await page.goto('/contact');
  await expectAlive(page);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(toast(page, 'Please fill in all fields.')).toBeVisible();
  await expect(page.getByLabel('Full Name')).toBeFocused();
  await expect(page.getByLabel('Message')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Full Name').fill('Ada Reader');
  await page.getByLabel('Email Address').fill('ada@example.org');
  await page.getByLabel('Subject').fill('A question');
  await page.getByLabel('Message').fill('Do you ship to the moon?');
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(toast(page, 'Message Sent Successfully')).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue('');
  expect(problems).toEqual([]);
});

test('the tabs of a profile stand in the address, are walked by arrows, and open where a link points', async ({
  page,
}) => {
  await page.goto('/users/seller_one');
  await expectAlive(page);
  const [active, sold] = [page.getByRole('tab', { name: /^Active/ }), page.getByRole('tab', { name: /^Sold/ })];
  await expect(active).toHaveAttribute('aria-selected', 'true');
  await active.focus();
  await page.keyboard.press('ArrowRight');
  await expect(sold).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/#sold$/);
  const panel = page.getByRole('tabpanel');
  await expect(panel.getByText('SOLD', { exact: true }).first()).toBeVisible();
  await page.goto('about:blank');
  await page.goto('/users/seller_one#sold');
  await expect(sold, 'from the address').toHaveAttribute('aria-selected', 'true');
  await expect(panel.getByText('Box of paperback crime novels')).toBeVisible();
});

test('the dashboard tells its figures, lists the own and the liked ads, and takes the data along', async ({ page }) => {
  const problems = watchConsole(page);
  await beSeller(page);
  await page.goto('/dashboard');
  const mine = page.getByRole('table', { name: 'My Ads' });
  await expect(mine.getByRole('row').filter({ hasText: 'Two-seat sofa' })).toContainText('$240');
  for (const heading of ['Ad', 'Category', 'Price', 'Views', 'Status', 'Actions'])
    await expect(mine.getByRole('columnheader', { name: heading, exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'View Analytics' }).click();
  const analytics = page.getByRole('dialog', { name: 'Analytics' });
  await expect(analytics.getByText('Top ads by views')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'View Analytics' })).toBeFocused();

  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const profile = page.getByRole('dialog', { name: 'Edit Profile' });
  await expect(profile.getByText('Verified Account')).toBeVisible();
  const download = page.waitForEvent('download');
  await profile.getByRole('button', { name: 'Download my data' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('my-data.json');
  expect(await readFile(await file.path(), 'utf8')).toContain('Two-seat sofa');
  for (const [choice, name, begin] of [
    ['CSV, for a spreadsheet', 'my-ads.csv', '\uFEFFid,'],
    ['JSON, for a program', 'my-ads.json', '['],
  ] as const) {
    await profile.getByRole('button', { name: 'Download my ads' }).click();
    await inspect(page, 'download-my-ads', 'region');
    const ads = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: choice }).click();
    const saved = await ads;
    const text = await readFile(await saved.path(), 'utf8');
    expect([saved.suggestedFilename(), text.slice(0, begin.length)]).toEqual([name, begin]);
    expect(text).toContain('Two-seat sofa');
  }
  await profile.getByRole('button', { name: 'Delete my account' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete my account' });
  await expect(question).toContainText('This action cannot be undone.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await profile.getByRole('button', { name: 'Close' }).click();
  await expectSettled(page);

  const plant = (await listAds(page.request, '?search=rubber+plant'))[0];
  await unsave(page, plant?.id);
  await page.goto(`/ads/${plant?.id}`);
  await expectAlive(page);
  await page.getByRole('button', { name: `Save ${plant?.title}`, exact: true }).click();
  await expect(toast(page, 'This ad has been saved to your favorites')).toBeVisible();
  await page.goto('/dashboard');
  const liked = page.getByRole('table', { name: 'Liked Ads' });
  await liked.getByRole('link', { name: `View ${plant?.title}` }).click();
  await page.getByRole('button', { name: `Save ${plant?.title}`, exact: true }).click();
  await expect(toast(page, 'Removed from favorites')).toBeVisible();
  expect(problems).toEqual([]);
});

test('what is written in the composer survives a reload, and leaving it is asked about', async ({ page }) => {
  await beSeller(page);
  await page.goto('/create-ad');
  await page.getByLabel('Title').fill('Half a thought');
  await page.getByLabel('Price', { exact: true }).fill('12.5');
  await page.getByLabel('Category').selectOption('books');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Half a thought');
  await expect(page.getByLabel('Price', { exact: true })).toHaveValue('12.5');
  await expect(page.getByLabel('Category')).toHaveValue('books');
  expect(asked, 'the browser asked before the reload').toEqual(['beforeunload']);

  await page.getByLabel('Description').fill('And the other half');
  await page.getByRole('button', { name: 'Cancel' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
  await expect(question).toContainText('Your texts are kept in this tab.');
  await expect(question, 'none was chosen').not.toContainText('photos');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByLabel('Description')).toHaveValue('And the other half');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/create-ad');
  await expect(page.getByLabel('Description'), 'kept in this tab').toHaveValue('And the other half');
});

test('an ad being edited keeps its changes until they are saved or given up', async ({ page }) => {
  await beSeller(page);
  const ad = (await listAds(page.request, '?search=wool+sweater'))[0];
  await page.goto(`/ads/${ad?.id}/edit`);
  await page.getByLabel('Price', { exact: true }).fill('44');
  await page.getByRole('button', { name: 'Update Ad' }).click();
  await expect(page).toHaveURL(new RegExp(`/ads/${ad?.id}$`));
  await expect(page.getByText(/^\$44\b/).first()).toBeVisible();
  await page.goto(`/ads/${ad?.id}/edit`);
  await page.getByLabel('Price', { exact: true }).fill('45');
  await page.getByRole('link', { name: 'Back to Ad' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByText(/^\$44\b/).first(), 'given up').toBeVisible();
});
