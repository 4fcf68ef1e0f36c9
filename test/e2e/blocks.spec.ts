import { randomBytes } from 'node:crypto';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAlive, expectSettled } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

const WARNING =
  'Be careful: keep the conversation and the payment where you can check them. Never share verification codes.';
const BLOCKED = 'You blocked this person. Unblock them to write to them.';
const ADDRESS = 'https://pay.example.test/metronome?amount=120';

const post = async <Reply>({ page }: Person, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.post(path, { headers, data });
  if (reply.status() !== 201) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

const meet = async (browser: Browser) => {
  const handle = await joinX('clara');
  const seller = await signInAs(browser, handle);
  const buyer = await signInAs(browser, await joinX('ivo'), true);
  await buyer.page.emulateMedia({ reducedMotion: 'reduce' });
  const title = `Metronome of ${handle}`;
  const fields = { title, description: 'Ticks evenly.', price: '120', category: 'other' };
  const ad = await post<{ id: string; userId: string }>(seller, '/api/ads', fields);
  const question = { adId: ad.id, receiverId: ad.userId, content: 'Is it still there?' };
  const { senderId } = await post<{ senderId: string }>(buyer, '/api/messages', question);
  const write = (content: string) => post(seller, '/api/messages', { adId: ad.id, receiverId: senderId, content });
  return { seller, buyer, write, title, adId: ad.id, sellerId: ad.userId, buyerId: senderId };
};

const confirmBlock = (page: Page) => page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click();

test('a link in a message opens from a dialog that shows its address, and the message carries a warning', async ({
  browser,
}) => {
  const { seller, buyer, write, title, adId, sellerId } = await meet(browser);
  const { page } = buyer;
  await write(`Pay me at ${ADDRESS}, then I ship it.`);
  await write('Or with a gift card. <b>javascript:alert(1)</b>');
  await page.goto(`/messages/${adId}/${sellerId}`);
  await expect(page.getByText(WARNING).locator('visible=true')).toHaveCount(1);
  await page.getByText('Be careful', { exact: true }).click();
  await expect(page.getByText(WARNING).locator('visible=true')).toHaveCount(2);
  await expect(page.getByText('<b>javascript:alert(1)</b>')).toBeVisible();
  await inspect(page, 'conversation-warning');

  await page.getByRole('button', { name: ADDRESS }).click();
  const dialog = page.getByRole('dialog', { name: 'Open this link?' });
  await expect(dialog.getByText(ADDRESS)).toBeVisible();
  await expect(dialog.getByText('pay.example.test', { exact: true })).toBeVisible();
  await inspect(page, 'link-dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  expect(page.context().pages()).toHaveLength(1);

  await page.getByRole('button', { name: ADDRESS }).click();
  await page.context().route('https://pay.example.test/**', (route) => route.fulfill({ body: 'Paid' }));
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('link', { name: 'Open' }).click();
  const other = await opened;
  await other.waitForURL(ADDRESS);
  expect(await other.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
  await other.close();
  await expect(dialog).toHaveCount(0);

  await write(`Look: ${new URL(page.url()).origin}/ads/${adId} and www.${'x'.repeat(240)}.test`);
  await page.getByRole('button', { name: /^www\.xxx/ }).click();
  await inspect(page, 'link-dialog-long');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: /\/ads\/\d+$/ }).click();
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('a blocked person cannot write and is not informed; their ads leave the list, until they are unblocked', async ({
  browser,
}) => {
  const { seller, buyer, title, adId, sellerId, buyerId } = await meet(browser);
  const { page } = buyer;
  const search = async () => {
    await page.goto('/?search=metronome');
    await expectAlive(page);
    return page.getByRole('link', { name: title, exact: true });
  };
  await expect(await search()).toHaveCount(1);

  await page.goto(`/messages/${adId}/${sellerId}`);
  await page.getByRole('button', { name: /^Actions for (?!the message)/ }).click();
  // Radix renders menus outside of the landmarks.
  await inspect(page, 'conversation-menu', 'region');
  await page.getByRole('menuitem', { name: 'Block' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await inspect(page, 'block-dialog');
  await confirmBlock(page);
  await expect(page.getByText(BLOCKED)).toBeVisible();
  await expect(page.getByLabel('Message', { exact: true })).toHaveCount(0);
  await inspect(page, 'conversation-blocked');
  await expectSettled(page);
  await expect(await search()).toHaveCount(0);

  await seller.page.goto(`/messages/${adId}/${buyerId}`);
  await expect(seller.page.getByText('Contact information not available')).toBeVisible();
  await expect(seller.page.getByRole('log').getByText('Is it still there?')).toBeVisible();
  await expect(seller.page.getByText(/block/i)).toHaveCount(0);

  await page.goto('/preferences');
  const blocked = page.getByRole('region', { name: 'Blocked people' });
  await blocked.scrollIntoViewIfNeeded();
  await inspect(page, 'blocked-people');
  await blocked.getByRole('button', { name: /^Unblock/ }).click();
  await expect(blocked.getByText('You have not blocked anyone.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(blocked.getByRole('button', { name: /^Unblock/ })).toBeVisible();
  await blocked.getByRole('listitem').getByRole('link').click();
  await page.waitForURL('**/users/clara_*');

  const menu = page.getByRole('button', { name: /^Actions for/ });
  await expect(menu).toBeVisible();
  await inspect(page, 'profile-blocked');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Unblock' }).click();
  await menu.click();
  await expect(page.getByRole('menuitem', { name: 'Block', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expectSettled(page);
  await expect(await search()).toHaveCount(1);
  await page.goto(`/messages/${adId}/${sellerId}`);
  await expect(page.getByLabel('Message', { exact: true })).toBeVisible();
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('a visitor who wants to block signs in first', async ({ browser, page }) => {
  const seller = await signInAs(browser, await joinX('clara'));
  await post(seller, '/api/ads', { title: 'Metronome', description: 'Ticks.', price: '1', category: 'other' });
  const { username } = await (await seller.page.request.get('/api/auth/me')).json();
  await page.goto(`/users/${username}`);
  await expectAlive(page);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Block' }).click();
  await expect(page.getByRole('button', { name: 'Continue with X' })).toBeVisible();
  await seller.page.goto(`/users/${username}`);
  await expectAlive(seller.page);
  await expect(seller.page.getByRole('button', { name: /^Actions for/ })).toHaveCount(0);
  await seller.close();
});
