import { randomBytes } from 'node:crypto';
import { type Browser, expect, type Page, test } from '@playwright/test';
import pg from 'pg';
import { expectAlive } from './alive.ts';
import { inspect } from './inspect.ts';
import { joinX, type Person, signInAs } from './people.ts';

const post = async <Reply>({ page }: Person, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.post(path, { headers, data });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

/** A seller at a desk with a negotiable ad for $120, and a buyer on a phone who has written. */
const meet = async (browser: Browser) => {
  const seller = await signInAs(browser, await joinX('lena'));
  const buyer = await signInAs(browser, await joinX('bela'), true);
  await Promise.all([seller, buyer].map(({ page }) => page.emulateMedia({ reducedMotion: 'reduce' })));
  const title = `Concertina ${randomBytes(3).toString('hex')}`;
  const fields = { title, description: 'In tune.', price: '120', priceType: 'negotiable', category: 'other' };
  const ad = await post<{ id: string; userId: string }>(seller, '/api/ads', fields);
  const ask = async (person: Person) =>
    (
      await post<{ senderId: string }>(person, '/api/messages', {
        adId: ad.id,
        receiverId: ad.userId,
        content: 'Hello!',
      })
    ).senderId;
  const buyerId = await ask(buyer);
  await buyer.page.goto(`/messages/${ad.id}/${ad.userId}`);
  await seller.page.goto(`/messages/${ad.id}/${buyerId}`);
  await Promise.all([seller, buyer].map(({ page }) => expectAlive(page)));
  return { seller, buyer, title, adId: ad.id, sellerId: ad.userId, buyerId, ask };
};

const offer = async (page: Page, amount: string): Promise<void> => {
  await page.getByLabel('Your offer').fill(amount);
  await page.getByRole('button', { name: 'Send Offer' }).click();
};
const makeOffer = async (page: Page, amount: string): Promise<void> => {
  await page.getByRole('button', { name: 'Make an Offer' }).click();
  await offer(page, amount);
};
const confirm = (page: Page, name: string) => page.getByRole('alertdialog').getByRole('button', { name }).click();
const last = (page: Page) => page.locator('[data-slot=offer]').last();

test('a buyer offers, the seller counters, the buyer accepts: each sees at once what the other did', async ({
  browser,
}) => {
  const { seller, buyer, title, adId, sellerId, ask } = await meet(browser);

  await buyer.page.getByRole('button', { name: 'Make an Offer' }).tap();
  await inspect(buyer.page, 'offer-dialog');
  await buyer.page.getByLabel('Your offer').fill('600');
  await buyer.page.getByRole('button', { name: 'Send Offer' }).tap();
  await expect(buyer.page.getByText('$600 is more than three times the price of $120.')).toBeVisible();
  await inspect(buyer.page, 'offer-questioned');
  await buyer.page.getByLabel('Your offer').fill('60');
  await buyer.page.getByRole('button', { name: 'Send Offer' }).tap();
  await expect(last(buyer.page)).toContainText('48 hours left');
  await inspect(buyer.page, 'offer-own');

  await expect(last(seller.page)).toContainText('$60');
  await inspect(seller.page, 'offer-received');
  await seller.page.getByRole('button', { name: 'Decline the offer of $60' }).click();
  await confirm(seller.page, 'Decline');
  await expect(last(buyer.page)).toContainText('Declined');

  await makeOffer(buyer.page, '70');
  await expect(last(seller.page)).toContainText('$70');
  await buyer.page.getByRole('button', { name: 'Withdraw the offer of $70' }).tap();
  await expect(last(seller.page)).toContainText('Withdrawn');

  await makeOffer(buyer.page, '80');
  await seller.page.getByRole('button', { name: 'Counter the offer of $80' }).click();
  await inspect(seller.page, 'offer-counter-dialog');
  await offer(seller.page, '100');
  await expect(last(buyer.page)).toContainText('counter offer');
  await inspect(buyer.page, 'offer-countered');

  await buyer.page.getByRole('button', { name: 'Accept the offer of $100' }).tap();
  await expect(buyer.page.getByText('The item is then reserved for you for 7 days.')).toBeVisible();
  await inspect(buyer.page, 'offer-accept');
  await confirm(buyer.page, 'Accept');
  await expect(last(seller.page)).toContainText('Accepted');
  for (const { page } of [buyer, seller]) {
    await expect(page.getByText(/^Agreed at \$100\. Reserved until \w+ \d+\.$/)).toBeVisible();
    await expect(page.getByText('$100 agreed')).toBeVisible();
  }
  await expect(seller.page.getByRole('button', { name: 'Mark as sold' })).toBeVisible();
  // the toast covers the bar of the deal on a phone
  await expect(buyer.page.getByText('You accepted $100')).toHaveCount(0);
  await inspect(buyer.page, 'reserved-own');
  await inspect(seller.page, 'reserved-other');

  await test.step('the notification leads to the conversation', async () => {
    await seller.page.goto('/notifications');
    await seller.page.getByText('accepted your offer of $100').click();
    await expect(last(seller.page)).toContainText('Accepted');
  });

  await test.step('other people see that it is reserved, and can still write', async () => {
    const other = await signInAs(browser, await joinX('otto'));
    await ask(other);
    await other.page.goto(`/messages/${adId}/${sellerId}`);
    await expect(other.page.getByText('Reserved', { exact: true })).toBeVisible();
    await expect(other.page.getByLabel('Message', { exact: true })).toBeVisible();
    await expect(other.page.getByRole('button', { name: 'Make an Offer' })).toHaveCount(0);
    await inspect(other.page, 'reserved-elsewhere');
    await other.page.goto(`/ads/${adId}`);
    await expect(other.page.getByText('You can still write to the seller.')).toBeVisible();
    await inspect(other.page, 'ad-reserved');
    await other.page.goto(`/?search=${title.split(' ')[1]}`);
    await expect(other.page.getByText('Reserved', { exact: true })).toBeVisible();
    await inspect(other.page, 'card-reserved');
    expect(other.problems).toEqual([]);
    await other.close();
  });

  await test.step('page and dashboard of the owner say for whom', async () => {
    await seller.page.goto(`/ads/${adId}`);
    await expect(seller.page.getByText(/^Reserved for bela/i)).toBeVisible();
    await inspect(seller.page, 'ad-reserved-owner');
    await seller.page.goto('/dashboard');
    const list = seller.page.getByRole('region', { name: 'My Ads' });
    await expect(list.getByText('Reserved', { exact: true })).toBeVisible();
    await list.scrollIntoViewIfNeeded();
    await inspect(seller.page, 'dashboard-reserved');
  });

  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('the seller reserves in a conversation and the person releases; an expired offer has no buttons', async ({
  browser,
}) => {
  const { seller, buyer, adId } = await meet(browser);
  await inspect(seller.page, 'conversation-reserve');
  await seller.page.getByRole('button', { name: /^Reserve for bela/i }).click();
  await expect(seller.page.getByText(/^Reserved for bela.* until/i)).toBeVisible();
  await expect(buyer.page.getByText(/^Reserved for you until/)).toBeVisible();
  await buyer.page.getByRole('button', { name: 'Release' }).tap();
  await inspect(buyer.page, 'release-dialog');
  await confirm(buyer.page, 'Release');
  await expect(buyer.page.getByText(/^Reserved for you/)).toHaveCount(0);
  await expect(seller.page.getByRole('button', { name: /^Reserve for bela/i })).toBeVisible();

  await makeOffer(buyer.page, '50');
  await expect(last(seller.page)).toContainText('$50');
  await seller.page.getByRole('button', { name: 'Accept the offer of $50' }).click();
  await expect(seller.page.getByRole('alertdialog')).toBeVisible();
  const db = new pg.Client({ connectionString: process.env.E2E_DATABASE_URL });
  await db.connect();
  await db.query(
    `update offers set created_at = now() - interval '49 hours', expires_at = now() - interval '1 hour'
     where ad_id = $1 and status = 'open'`,
    [adId],
  );
  await db.end();
  await confirm(seller.page, 'Accept');
  await expect(seller.page.getByText('This offer has expired.', { exact: true })).toBeVisible();
  await expect(last(seller.page)).toContainText('Expired');
  await inspect(seller.page, 'offer-expired');

  await makeOffer(seller.page, '110');
  await expect(last(buyer.page)).toContainText('$110');
  await seller.page.request.patch(`/api/ads/${adId}/sold`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    data: { isSold: true },
  });
  await expect(last(buyer.page)).toContainText('No longer valid');
  await expect(buyer.page.getByText('Sold', { exact: true })).toBeVisible();
  await inspect(buyer.page, 'offer-void');
  // The browser reports the refused acceptance.
  expect(seller.problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  expect(buyer.problems).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('a first offer is three taps from the ad, without a word', async ({ browser }) => {
  const { seller, adId, buyerId } = await meet(browser);
  const newcomer = await signInAs(browser, await joinX('nina'), true);
  const { page } = newcomer;
  await page.goto(`/ads/${adId}`);
  await expectAlive(page);
  await inspect(page, 'ad-negotiable');
  await page.getByRole('button', { name: 'Make an Offer' }).tap();
  await inspect(page, 'offer-proposals');
  await page.getByRole('button', { name: '$108 −10 %' }).tap();
  await page.getByRole('button', { name: 'Send Offer' }).tap();
  await expect(page.getByRole('dialog', { name: /^Contact / })).toContainText('48 hours left');
  await expect(page.getByRole('button', { name: 'Withdraw the offer of $108' })).toBeVisible();

  await seller.page.goto('/messages');
  await expect(seller.page.getByText('Offer: $108')).toBeVisible();
  await seller.page.getByRole('link', { name: 'View Conversation' }).first().click();
  await expect(last(seller.page)).toContainText('$108');
  expect(new URL(seller.page.url()).pathname).not.toContain(buyerId);
});
