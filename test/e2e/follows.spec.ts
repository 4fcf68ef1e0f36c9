import { randomBytes } from 'node:crypto';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

const send = async <Reply>({ page }: Person, method: string, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.fetch(path, { method, headers, data });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

const meet = async (browser: Browser) => {
  const handle = await joinX('clara');
  const seller = await signInAs(browser, handle);
  const buyer = await signInAs(browser, await joinX('ivo'), true);
  await buyer.page.emulateMedia({ reducedMotion: 'reduce' });
  const fields = { title: `Metronome of ${handle}`, description: 'Ticks evenly.', price: '120', category: 'other' };
  const ad = await send<{ id: string }>(seller, 'POST', '/api/ads', fields);
  return { handle, seller, buyer, ad, fields };
};

const followButton = (page: Page) => page.getByRole('button', { name: /^Follow(ing)? / });
const notifyItem = (page: Page) => page.getByRole('menuitemcheckbox', { name: 'Notify me about new ads' });

test('a buyer follows a seller by keyboard and on a phone, and ends it in the dashboard', async ({ browser }) => {
  const { handle, seller, buyer } = await meet(browser);
  const { page } = buyer;
  await page.goto(`/users/${handle}`);
  await expectAlive(page);
  await followButton(page).focus();
  await page.keyboard.press('Enter');
  await expect(notifyItem(page)).toBeFocused();
  // Radix renders menus outside of the landmarks.
  await inspect(page, 'follow-menu', 'region');
  await page.keyboard.press('ArrowDown');
  const onX = page.getByRole('menuitem', { name: 'Follow on X' });
  await expect(onX).toBeFocused();
  await expect(onX).toHaveAttribute('href', `https://x.com/intent/follow?screen_name=${handle}`);
  await page.keyboard.press('ArrowUp');
  await expect(notifyItem(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(followButton(page)).toHaveText('Following');
  await expect(followButton(page)).toBeFocused();

  await followButton(page).tap();
  await expect(notifyItem(page)).toHaveAttribute('aria-checked', 'true');
  await inspect(page, 'follow-menu-checked', 'region');
  await page.keyboard.press('Escape');

  for (const path of ['/dashboard', `/users/${handle}`]) {
    await seller.page.goto(path);
    const figure = seller.page.getByText('Followers', { exact: true }).locator('..');
    await expect(figure).toHaveText(/1/);
  }
  await inspect(seller.page, 'profile-own');

  await page.goto('/dashboard?tab=saved');
  const list = page.getByRole('region', { name: 'People You Follow' });
  await expect(list.getByRole('link', { name: handle })).toBeVisible();
  await list.scrollIntoViewIfNeeded();
  await inspect(page, 'dashboard-follows');
  await list.getByRole('button', { name: /^Unfollow / }).tap();
  await expect(list.getByText('You do not follow anyone.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).tap();
  await expect(list.getByRole('link', { name: handle })).toBeVisible();
  await list.getByRole('button', { name: /^Unfollow / }).tap();
  await expect(list.getByText('You do not follow anyone.')).toBeVisible();
  await inspect(page, 'dashboard-follows-none');
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('a visitor who wants to be notified signs in', async ({ page }) => {
  await page.goto('/users/seller_one');
  await expectAlive(page);
  await followButton(page).click();
  await notifyItem(page).click();
  await expect(page.getByRole('button', { name: 'Continue with X' })).toBeVisible();
});

test('a person who saved an ad is notified when its seller lowers the price, and sees the old one', async ({
  browser,
}) => {
  const { handle, seller, buyer, ad, fields } = await meet(browser);
  const { page } = buyer;
  await page.goto(`/ads/${ad.id}`);
  await expectAlive(page);
  await page
    .getByRole('button', { name: /^Save / })
    .first()
    .tap();

  await seller.page.goto(`/ads/${ad.id}/edit`);
  await seller.page.getByRole('textbox', { name: 'Price' }).fill('79.50');
  await seller.page.getByRole('button', { name: 'Update Ad' }).click();
  await expect(seller.page.getByText('was $120').locator('visible=true').first()).toBeVisible();

  await expect(async () => {
    await page.goto('/notifications');
    await expect(page.getByText(`Price dropped: ${fields.title}`)).toBeVisible({ timeout: 2000 });
  }).toPass();
  await expect(page.getByText('Now $79.50, was $120')).toBeVisible();
  await page.getByText(`Price dropped: ${fields.title}`).tap();
  await expect(page).toHaveURL(new RegExp(`/ads/${ad.id}$`));
  await expect(page.getByText('Price dropped', { exact: true })).toBeVisible();
  await inspect(page, 'ad-price-drop');

  const html = await (await page.request.get(`/ads/${ad.id}`)).text();
  expect(html.replaceAll('<!-- -->', '')).toMatch(/\$79\.50 <s[^>]*><span class="sr-only">was <\/span>\$120<\/s>/);
  await page.goto(`/?search=${encodeURIComponent(fields.title)}`);
  await expect(page.locator('[data-slot=ad-card]').getByText('Price dropped')).toBeVisible();
  await inspect(page, 'card-price-drop');
  await page.goto('/?search=striped+sweater');
  await expect(page.locator('[data-slot=ad-card]').getByText('was $60')).toBeVisible();
  await inspect(page, 'card-price-drop-photo');
  await page.goto(`/users/${handle}`);
  await expect(page.locator('[data-slot=ad-card]').getByText('Price dropped')).toBeVisible();
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});
