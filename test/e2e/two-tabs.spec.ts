import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { joinX, signInAs } from './people.ts';

const post = async (page: Page, title: string): Promise<string> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const data = { title, description: 'Solid.', price: '12', category: 'other' };
  return (await (await page.request.post('/api/ads', { headers, data })).json()).id;
};

test('a changed form is left with Back, and saving, cancelling and deleting never lead back to it', async ({
  browser,
}) => {
  const { page, close } = await signInAs(browser, await joinX('anna'));
  const id = await post(page, 'Oak stool of the two tabs');
  await page.goto('/how-it-works');
  await page.goto(`/ads/${id}`);
  await expectAlive(page);
  await page.getByRole('link', { name: 'Edit Ad' }).click();
  await expect(page).toHaveURL(/\/edit$/);
  await expectAlive(page);
  await page.getByLabel('Title').fill('Changed');
  const question = page.getByRole('alertdialog', { name: 'Leave this page?' });
  await page.goBack();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(page, 'the router has taken Back back').toHaveURL(/\/edit$/);
  await expect(page.getByLabel('Title')).toHaveValue('Changed');
  await page.goBack();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(new RegExp(`/ads/${id}$`));
  await expect(question).toHaveCount(0);

  await page.getByRole('link', { name: 'Edit Ad' }).click();
  await page.getByLabel('Title').fill('Changed and saved');
  await page.getByRole('button', { name: 'Update Ad' }).click();
  await expect(page.getByRole('heading', { name: 'Changed and saved' })).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Delete Ad' }).click();
  await expect(page).not.toHaveURL(/ads/);
  await close();
});

test('a tab learns that another account has signed in, and never acts for it', async ({ browser }) => {
  const names = [await joinX('anna'), await joinX('bert')];
  const anna = await signInAs(browser, names[0] ?? '');
  const bert = await signInAs(browser, names[1] ?? '');
  const id = await post(bert.page, 'Lamp of the two tabs');
  // A read that came after the cookies would be refused before the favorite, and make the page Bert's.
  const reads = ['similar', 'more-from-seller'].map((part) =>
    anna.page.waitForResponse((response) => response.url().endsWith(`/api/ads/${id}/${part}`)),
  );
  await anna.page.goto(`/ads/${id}`);
  await expectAlive(anna.page);
  await anna.page.mouse.wheel(0, 10_000);
  await Promise.all(reads);
  const context = anna.page.context();
  await context.addCookies(await bert.page.context().cookies());
  // No other tab has told this one: the server refuses the favorite.
  const refused = anna.page.waitForResponse(
    (response) => response.status() === 409 && response.url().endsWith('/favorite'),
  );
  await anna.page.getByRole('button', { name: 'Save Lamp of the two tabs', exact: true }).click();
  await refused;
  await expect(anna.page.getByRole('link', { name: 'Edit Ad' }), 'the page is of Bert now').toBeVisible();
  expect(await (await bert.page.request.get('/api/user/favorite-ids')).json()).toEqual([]);

  const other = await context.newPage();
  await other.goto('/contact');
  await expectAlive(other);
  await other.getByLabel('Subject').fill('A question');
  await anna.page.getByRole('button', { name: 'Account' }).click();
  await anna.page.getByText('Logout').click();
  await expect(other.getByRole('alert')).toContainText('What you wrote here is not sent.');
  await expect(other.getByLabel('Subject')).toHaveValue('A question');
  await other.getByLabel('Subject').fill('');
  // X remembers Anna.
  await anna.page.getByRole('button', { name: 'Sign In', exact: true }).first().click();
  await anna.page.getByRole('button', { name: 'Continue with X' }).click();
  await anna.page.getByRole('button', { name: 'Authorize app' }).click();
  await expect(other.getByRole('button', { name: 'Account' })).toBeVisible();
  await anna.close();
  await bert.close();
});
