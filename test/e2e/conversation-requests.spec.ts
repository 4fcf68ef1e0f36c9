import { randomBytes } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { withDatabase } from './content.ts';
import { joinX, type Person, PHONE, signInAs } from './people.ts';

/*
 * How often the pages of a conversation ask the server, while the event stream is open. On a phone: a wide window shows
 * the inbox beside the conversation, and reads it too.
 */

const post = async <Reply>({ page }: Person, path: string, data: object): Promise<Reply> => {
  const headers = { 'Sec-Fetch-Site': 'same-origin', 'Idempotency-Key': randomBytes(16).toString('hex') };
  const reply = await page.request.post(path, { headers, data });
  if (!reply.ok()) throw new Error(`${reply.status()}: ${await reply.text()}`);
  return reply.json();
};

const meet = async (seller: Person, buyer: Person) => {
  const fields = { title: 'Sextant in its box', description: 'True.', price: '120', category: 'other' };
  const ad = await post<{ id: string; userId: string }>(seller, '/api/ads', { ...fields, priceType: 'negotiable' });
  const { senderId } = await post<{ senderId: string }>(buyer, '/api/messages', {
    adId: ad.id,
    receiverId: ad.userId,
    content: 'Hello!',
  });
  return { adId: ad.id, sellerId: ad.userId, buyerId: senderId };
};

/** Adds unread messages of the buyer to the only conversation about the ad. */
const write = (count: number, { adId, sellerId, buyerId }: Awaited<ReturnType<typeof meet>>) =>
  withDatabase(async (db) => {
    await db.raw(
      `insert into messages (conversation_id, ad_id, sender_id, receiver_id, content)
       select id, ad_id, ?, ?, 'Line ' || n from conversations, generate_series(1, ?) n where ad_id = ?`,
      [buyerId, sellerId, count, adId],
    );
    await db.raw(
      `update conversations c set message_count = message_count + ?,
         last_message_id = (select max(id) from messages m where m.conversation_id = c.id)
       where ad_id = ?`,
      [count, adId],
    );
  });

/** Records the requests to the API from now on, the event stream apart. */
const record = (page: Page): string[] => {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== '/api/messages/stream')
      calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
};

/** Long enough for a second request, if there was a reason for one. */
const settle = (page: Page) => page.waitForTimeout(4000);

const streamOf = (page: Page) =>
  page.waitForResponse((response) => new URL(response.url()).pathname === '/api/messages/stream');

test('500 unread messages: inbox and conversation are asked for once, and one request marks them read', async ({
  browser,
}) => {
  const [seller, buyer] = [await signInAs(browser, await joinX('maya')), await signInAs(browser, await joinX('tom'))];
  const met = await meet(seller, buyer);
  await write(499, met);
  const { page } = seller;
  await page.setViewportSize(PHONE.viewport);
  await page.goto('about:blank');
  const calls = record(page);
  const opening = streamOf(page);
  await page.goto('/messages');
  await opening;
  await expect(page.getByText('500 new')).toBeVisible();
  await settle(page);
  await page.getByRole('link', { name: 'View Conversation' }).click();
  await expect(page.getByText('Line 499')).toBeVisible();
  const unread = async () => (await (await page.request.get('/api/messages/unread-count')).json()).unreadCount;
  await expect.poll(unread).toBe(0);
  await settle(page);
  expect(calls.toSorted()).toEqual([
    'GET /api/conversations',
    `GET /api/conversations/${met.adId}/${met.buyerId}`,
    `PUT /api/messages/conversation/${met.adId}/${met.buyerId}/read`,
  ]);
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});

test('accepting an offer costs one POST and one GET for who accepts, and one GET for who offered', async ({
  browser,
}) => {
  const [seller, buyer] = [await signInAs(browser, await joinX('maya')), await signInAs(browser, await joinX('tom'))];
  const { adId, sellerId, buyerId } = await meet(seller, buyer);
  await post(buyer, '/api/offers', { adId, receiverId: sellerId, amount: 100 });
  for (const [{ page }, otherId] of [
    [seller, buyerId],
    [buyer, sellerId],
  ] as const) {
    await page.setViewportSize(PHONE.viewport);
    const opening = streamOf(page);
    await page.goto(`/messages/${adId}/${otherId}`);
    await opening;
    await expect(page.locator('[data-slot=offer]')).toBeVisible();
  }
  await settle(seller.page);
  const [ofSeller, ofBuyer] = [record(seller.page), record(buyer.page)];
  await seller.page.getByRole('button', { name: 'Accept the offer of $100' }).click();
  await seller.page.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  for (const { page } of [seller, buyer]) {
    await expect(page.getByText('Accepted', { exact: true })).toBeVisible();
    await expect(page.getByText(/^Agreed at \$100\./)).toBeVisible();
  }
  await settle(seller.page);
  const [{ id: offerId }] = await withDatabase((db) => db('offers').where({ ad_id: adId }).select('id'));
  expect(ofSeller.toSorted()).toEqual([
    `GET /api/conversations/${adId}/${buyerId}`,
    `POST /api/offers/${offerId}/accept`,
  ]);
  expect(ofBuyer.toSorted()).toEqual([`GET /api/conversations/${adId}/${sellerId}`]);
  expect([...seller.problems, ...buyer.problems]).toEqual([]);
  await Promise.all([seller.close(), buyer.close()]);
});
