import { randomBytes } from 'node:crypto';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

const post = async <Reply>({ page }: Person, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.post(path, { headers, data });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

/** A seller at a desk with an ad, and two buyers who have written, the first on a phone. */
const meet = async (browser: Browser) => {
  const names = { seller: await joinX('dora'), buyer: await joinX('emil') };
  const seller = await signInAs(browser, names.seller);
  const buyer = await signInAs(browser, names.buyer, true);
  const other = await signInAs(browser, await joinX('fritz'));
  await Promise.all([seller, buyer, other].map(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' })));
  const title = `Mandolin ${randomBytes(3).toString('hex')}`;
  const fields = { title, description: 'In tune.', price: '120', category: 'other' };
  const ad = await post<{ id: string; userId: string }>(seller, '/api/ads', fields);
  for (const person of [buyer, other])
    await post(person, '/api/messages', { adId: ad.id, receiverId: ad.userId, content: 'Hello!' });
  return { seller, buyer, other, title, adId: ad.id, names };
};

const rate = async (page: Page, value: string, text: string): Promise<void> => {
  await page.getByRole('radio', { name: value }).check();
  await page.getByRole('checkbox', { name: 'Friendly' }).check();
  await page.getByLabel('In your words (optional)').fill(text);
  await page.getByRole('button', { name: 'Send Rating' }).click();
};
const section = (page: Page, name: string) => page.getByRole('region', { name });

test('a seller sells to a person, both rate, and both ratings appear at once', async ({ browser }) => {
  const { seller, buyer, other, title, adId, names } = await meet(browser);

  await test.step('the seller chooses the buyer with the keyboard, undoes, and chooses again', async () => {
    const { page } = seller;
    await page.goto(`/ads/${adId}`);
    await expectAlive(page);
    const dialog = page.getByRole('dialog', { name: 'Who bought it?' });
    const choose = async () => {
      await page.getByRole('button', { name: 'Mark as Sold', exact: true }).focus();
      await page.keyboard.press('Enter');
      const emil = dialog.getByRole('radio', { name: /emil/i });
      await expect(emil).toBeVisible();
      await dialog.getByRole('radio').first().focus();
      await page.keyboard.press('Space');
      if (!(await emil.isChecked())) await page.keyboard.press('ArrowDown');
      await expect(emil).toBeChecked();
    };
    await choose();
    await inspect(page, 'sell-dialog');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Mark as Available' })).toBeFocused();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Mark as Sold', exact: true })).toBeVisible();
    await choose();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Mark as Available' })).toBeVisible();
  });

  await test.step('the notification leads the buyer to the purchase, who rates', async () => {
    const { page } = buyer;
    await page.goto('/notifications');
    await page.getByText('sold this to you. Did you buy it?').first().tap();
    const purchases = section(page, 'Purchases');
    await expect(purchases.getByRole('heading', { name: 'Purchases' })).toBeFocused();
    await expect(purchases.getByText(title)).toBeVisible();
    await inspect(page, 'purchases');
    await purchases.getByRole('button', { name: /^I did not buy this/ }).tap();
    await inspect(page, 'purchase-undo');
    await page.getByRole('button', { name: 'Cancel' }).tap();
    await purchases.getByRole('button', { name: /^Rate/ }).tap();
    await expect(page.getByText(/^Neither of you sees the other's rating/)).toBeVisible();
    await inspect(page, 'rating-dialog');
    await rate(page, 'Good', 'In tune, as promised.');
    await expect(purchases.getByText('Your rating')).toBeVisible();
    await inspect(page, 'purchase-rated');
  });

  await test.step('nothing is public yet', async () => {
    await other.page.goto(`/users/${names.seller}`);
    await expect(other.page.getByText('No ratings yet')).toBeVisible();
    await other.page.getByText('No ratings yet').scrollIntoViewIfNeeded();
    await inspect(other.page, 'ratings-empty');
  });

  await test.step('the seller is led to the sale and rates: both are public', async () => {
    const { page } = seller;
    await page.goto('/notifications');
    await page.getByText('rated you. Rate them to see it.').first().click();
    const sales = section(page, 'Sales');
    await sales.getByRole('button', { name: /^Rate/ }).click();
    await rate(page, 'Neutral', 'Came late.');
    await expect(sales.getByText('In tune, as promised.')).toBeVisible();
    await inspect(page, 'sale-rated');
  });

  await test.step('the profile shows figure and rating, and its person replies', async () => {
    const { page } = seller;
    await page.goto(`/users/${names.seller}#ratings`);
    await expect(page.getByRole('heading', { name: 'Ratings' })).toBeFocused();
    await page.getByRole('button', { name: /^Reply/ }).click();
    await page.getByLabel('Your reply').fill('Thank you!');
    await inspect(page, 'reply-dialog');
    await page.getByRole('button', { name: 'Send Reply' }).click();
    await expect(section(page, 'Ratings').getByText('Thank you!')).toBeVisible();
    await inspect(page, 'ratings');
    await page.goto(`/users/${names.seller}`);
    await expect(page.getByRole('link', { name: '1 deal · 100 % positive' })).toBeVisible();
    await inspect(page, 'profile-figure');
  });

  await test.step('others see the deals beside the name, and can report the rating', async () => {
    const { page } = other;
    await page.goto(`/ads/${adId}`);
    await expect(page.getByText('1 deal · 100 %').first()).toBeVisible();
    await page.getByText('1 deal · 100 %').first().scrollIntoViewIfNeeded();
    await inspect(page, 'deals-on-ad');
    await page.goto('/messages');
    await page.getByRole('link', { name: 'View Conversation' }).first().click();
    await expect(page.getByText('1 deal · 100 %').first()).toBeVisible();
    await inspect(page, 'deals-in-conversation');
    await page.goto(`/users/${names.buyer}`);
    await expect(page.getByRole('link', { name: '1 deal · 0 % positive' })).toBeVisible();
    await page.getByRole('button', { name: /^Report the rating by dora/i }).click();
    await page.getByRole('radio', { name: 'Something else' }).check();
    await page.getByLabel('Details').fill('Not what happened');
    await inspect(page, 'rating-report');
    await page.getByRole('button', { name: 'Send Report' }).click();
    await expect(page.getByText('Thank you. We will look into it.').first()).toBeVisible();
  });

  for (const person of [seller, buyer, other]) {
    expect(person.problems).toEqual([]);
    await person.close();
  }
});

test('a person who did not buy this undoes the purchase, and the seller is notified', async ({ browser }) => {
  const { seller, buyer, other, title } = await meet(browser);
  await test.step('the seller marks the ad as sold on the dashboard', async () => {
    const { page } = seller;
    await page.goto('/dashboard');
    await page.getByRole('button', { name: `Mark as Sold ${title}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Who bought it?' });
    await dialog.getByRole('radio', { name: /emil/i }).check();
    await dialog.getByRole('button', { name: 'Mark as Sold' }).click();
    await expect(section(page, 'Sales').getByText(title)).toBeVisible();
    await inspect(page, 'dashboard-sold');
  });
  await test.step('the buyer undoes it', async () => {
    const { page } = buyer;
    await page.goto('/dashboard#purchases');
    const purchases = section(page, 'Purchases');
    await purchases.getByRole('button', { name: /^I did not buy this/ }).tap();
    await page.getByRole('alertdialog').getByRole('button', { name: 'I did not buy this' }).tap();
    await expect(purchases.getByText(/^When a seller names you/)).toBeVisible();
    await inspect(page, 'purchases-empty');
  });
  await expect(section(seller.page, 'Sales').getByText(title), 'follows by itself').toHaveCount(0);
  for (const person of [seller, buyer, other]) {
    expect(person.problems).toEqual([]);
    await person.close();
  }
});
