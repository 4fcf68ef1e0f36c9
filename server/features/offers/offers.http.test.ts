import { beforeAll, describe, expect, test } from 'vitest';
import { blockUser } from '../../../contract/blocks.ts';
import { listConversations } from '../../../contract/conversations.ts';
import * as messages from '../../../contract/messages.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import * as api from '../../../contract/offers.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import {
  counter,
  createPerson,
  make,
  meet,
  meetWithOffers,
  type Person,
  readOffers,
  readThread,
  refusal,
  respond,
} from '../../../test/harness/deals.ts';
import { insertCategories } from '../../../test/harness/factories.ts';
import { expireOffers } from './expiry.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

const { app } = site;

beforeAll(() => insertCategories(app));

const { app: lateApp, signIn: signInLater } = await site.openLater('49h');

/** The two people 49 hours later. */
const openLater = async (seller: Person, buyer: Person) => ({
  seller: { ...seller, client: await signInLater(seller.id) },
  buyer: { ...buyer, client: await signInLater(buyer.id) },
});

const readTitles = async (of: Person) =>
  (await of.client.ok(listNotifications)).filter(({ kind }) => kind === 'offer').map(({ title }) => title);

describe('an offer', () => {
  test('is a message of the thread with an amount, a status and an end after 48 hours', async () => {
    const { seller, ad, buyer } = await meet(site);
    const { status, body } = await make(buyer, ad.id, seller, ' 45.00 ');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      content: 'Offer: $45',
      senderId: buyer.id,
      receiverId: seller.id,
      isRead: false,
      offer: { amount: '45.00', status: 'open' },
    });
    expect(Date.parse(body.offer.expiresAt) - Date.parse(body.createdAt)).toBe(48 * 3_600_000);
    expect((await readThread(seller, ad.id, buyer)).at(-1)).toMatchObject({ id: body.id, offer: body.offer });
    const { lines } = await seller.client.ok(listConversations);
    expect(lines[0]?.latest).toMatchObject({ id: body.id, offer: { amount: '45.00' } });
    const inbox = await seller.client.ok(messages.listInbox);
    expect(inbox[ad.id]?.[0]).toMatchObject({ offer: { status: 'open' } });
    expect(await seller.client.ok(messages.getUnreadCount)).toEqual({ unreadCount: 2 });
  });

  test('may come from the seller of the ad, too', async () => {
    const { seller, ad, buyer } = await meet(site);
    const { body } = await make(seller, ad.id, buyer, '48');
    expect((await respond(buyer, body.offer.id, 'accept')).body).toMatchObject({ ad: { reservation: 'own' } });
  });

  test('needs a negotiable ad and a positive amount within the limit', async () => {
    const { seller, ad, buyer } = await meet(site);
    const fixed = await meet(site, { fields: { priceType: 'fixed' } });
    expect(await make(fixed.buyer, fixed.ad.id, fixed.seller)).toMatchObject(refusal('fixed_price'));
    for (const amount of ['0', '0.00', '-1', '', 'ten', '1e3', '100000000', '1.234', true, null])
      expect((await make(buyer, ad.id, seller, amount as string)).status, String(amount)).toBe(400);
    expect((await make(buyer, ad.id, buyer)).status).toBe(403);
    expect((await make(buyer, '999999999', seller)).status).toBe(404);
    expect((await make(buyer, 'x', seller)).status).toBe(400);
    expect(await app.db('offers').whereIn('ad_id', [ad.id, fixed.ad.id])).toEqual([]);
  });

  test('is one of a conversation as long as it is open', async () => {
    const { seller, ad, buyer, id } = await meetWithOffers(site);
    expect(await make(buyer, ad.id, seller)).toMatchObject(refusal('has_open_offer'));
    expect(await make(seller, ad.id, buyer)).toMatchObject(refusal('has_open_offer'));
    await respond(buyer, id, 'withdraw');
    expect((await make(buyer, ad.id, seller, '41')).status).toBe(201);
    expect(await readOffers(seller, ad.id, buyer)).toEqual([
      ['40.00', 'withdrawn'],
      ['41.00', 'open'],
    ]);
  });

  test('needs an ad that is on the market', async () => {
    const { seller, ad, buyer } = await meet(site);
    const change = (values: object) => app.db('ads').where({ id: ad.id }).update(values);
    await change({ expires_at: app.db.raw("now() - interval '1 second'") });
    expect(await make(buyer, ad.id, seller)).toMatchObject(refusal('unavailable'));
    await change({ expires_at: null, state: 'inactive' });
    expect(await make(seller, ad.id, buyer)).toMatchObject(refusal('unavailable'));
    await change({ state: 'active' });
    const { offer } = (await make(buyer, ad.id, seller)).body;
    await change({ state: 'pending' });
    expect(await respond(seller, offer.id, 'accept')).toMatchObject(refusal('unavailable'));
    expect(await counter(seller, offer.id, '45')).toMatchObject(refusal('unavailable'));
    expect((await respond(seller, offer.id, 'decline')).status).toBe(200);
  });

  test('needs an X account of the required age, and may have the same amount for many people', async () => {
    const { seller, ad, buyers } = await meet(site, { buyerCount: 6 });
    for (const buyer of buyers.slice(1)) expect((await make(seller, ad.id, buyer, '45')).status).toBe(201);
    await app.db('settings').insert({ key: 'platform', value: { minXAccountAgeDays: 30 } });
    const refused = await make(buyers[0]!, ad.id, seller);
    await app.db('settings').where({ key: 'platform' }).delete();
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    expect(refused.body.message).toContain('at least 30 days old to make offers.');
    expect((await make(buyers[0]!, ad.id, seller)).status).toBe(201);
  });

  test('carries no warning, however large its amount', async () => {
    const { seller, ad, buyer } = await meet(site);
    const { body } = await make(buyer, ad.id, seller, '99999999.99');
    expect(body.content).toBe('Offer: $99,999,999.99');
    expect((await readThread(seller, ad.id, buyer)).at(-1)).not.toHaveProperty('warning');
  });

  test('of a key is made once', async () => {
    const { seller, ad, buyer } = await meet(site);
    const body = { adId: ad.id, receiverId: seller.id, amount: '40' };
    const headers = { 'Idempotency-Key': 'offer-of-this-test' };
    const replies = [];
    for (let i = 0; i < 2; i++) replies.push(await buyer.client.ok(api.makeOffer, { body, headers }));
    expect(replies[0]).toEqual(replies[1]);
    expect(await app.db('offers').where({ ad_id: ad.id })).toHaveLength(1);
  });

  test('is not countered by the key with which another one was', async () => {
    const { seller, ids } = await meetWithOffers(site, 2);
    const headers = { 'Idempotency-Key': 'counter-of-this-test' };
    const counterWithKey = (id: string) =>
      seller.client.call(api.counterOffer, { params: { id }, body: { amount: '45' }, headers });
    expect((await counterWithKey(ids[0]!)).status).toBe(201);
    expect((await counterWithKey(ids[1]!)).status).toBe(422);
    expect((await counterWithKey(ids[0]!)).status).toBe(201);
    expect(await app.db('offers').where({ id: ids[1]! }).first('status')).toEqual({ status: 'open' });
  });
});

describe('an offer to a seller to whom one has not written', () => {
  const countConversations = (adId: string) => app.db('conversations').where({ ad_id: adId }).pluck('buyer_id');

  test('opens the conversation, which counts as one unread message', async () => {
    const { seller, ad } = await meet(site, { buyerCount: 0 });
    const buyer = await createPerson(site);
    const { status, body } = await make(buyer, ad.id, seller, '45');
    expect(status).toBe(201);
    expect((await readThread(seller, ad.id, buyer)).map(({ id }) => id)).toEqual([body.id]);
    expect(await seller.client.ok(messages.getUnreadCount)).toEqual({ unreadCount: 1 });
    expect(await app.db('message_reminders').where({ receiver_id: seller.id })).toHaveLength(1);
    expect(await make(buyer, ad.id, seller, '46')).toMatchObject(refusal('has_open_offer'));
    expect((await respond(seller, body.offer.id, 'accept')).status).toBe(200);
  });

  test('is made once of two at the same moment', async () => {
    const { seller, ad } = await meet(site, { buyerCount: 0 });
    const buyer = await createPerson(site);
    const answers = await Promise.all(['41', '42', '43'].map((amount) => make(buyer, ad.id, seller, amount)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(await countConversations(ad.id)).toEqual([buyer.id]);
    expect(await readThread(seller, ad.id, buyer)).toHaveLength(1);
  });

  test('is refused like a first message, and nothing is left of it', async () => {
    const refuses = async (values: object, message: string) => {
      const { seller, ad } = await meet(site, { buyerCount: 0 });
      const buyer = await createPerson(site);
      await app.db('ads').where({ id: ad.id }).update(values);
      expect((await make(buyer, ad.id, seller)).body.message).toBe(message);
      expect(await countConversations(ad.id)).toEqual([]);
    };
    await refuses({ allow_messages: false }, 'Contact information not available');
    await refuses({ state: 'inactive' }, 'Ad not found');
    await refuses({ price_type: 'fixed' }, 'The price of this item is not negotiable.');
    await refuses({ is_sold: true, sold_at: app.db.fn.now() }, 'This item has been sold.');
  });

  test('comes neither from nor to a blocked person, nor from the seller', async () => {
    const { seller, ad } = await meet(site, { buyerCount: 0 });
    const [blocked, blocker, stranger] = [await createPerson(site), await createPerson(site), await createPerson(site)];
    await seller.client.ok(blockUser, { params: { userId: blocked.id } });
    await blocker.client.ok(blockUser, { params: { userId: seller.id } });
    const messageOf = async (by: Person, to: Person) => (await make(by, ad.id, to)).body.message;
    expect(await messageOf(blocked, seller)).toBe('Contact information not available');
    expect(await messageOf(blocker, seller)).toBe('You blocked this person. Unblock them to write to them.');
    expect(await messageOf(seller, stranger)).toBe('You can answer once they have written to you.');
    expect((await make(seller, ad.id, seller)).status).toBe(403);
    expect(await countConversations(ad.id)).toEqual([]);
  });
});

describe('a response to an offer', () => {
  test('accepts it: the ad is reserved for the buyer for 7 days, and the maker is notified', async () => {
    const { seller, ad, buyer, id } = await meetWithOffers(site);
    const { status, body } = await respond(seller, id, 'accept');
    expect(status).toBe(200);
    expect(body).toMatchObject({ offer: { id, status: 'accepted' }, ad: { reservation: 'other' } });
    const [reservation] = await app.db('reservations').where({ ad_id: ad.id });
    expect(reservation).toMatchObject({ user_id: buyer.id, offer_id: id });
    expect(Date.parse(reservation.ends_at) - Date.parse(reservation.created_at)).toBe(7 * 86_400_000);
    expect(await readTitles(buyer)).toEqual([`${seller.name} accepted your offer of $40`]);
    expect((await readThread(buyer, ad.id, seller)).at(-1)).toMatchObject({
      offer: { status: 'accepted' },
      ad: { reservation: 'own' },
    });
    for (const how of ['accept', 'decline'] as const)
      expect(await respond(seller, id, how)).toMatchObject(refusal('accepted'));
    expect(await respond(buyer, id, 'withdraw')).toMatchObject(refusal('accepted'));
  });

  test('declines it, and the maker is notified', async () => {
    const { seller, ad, buyer, id } = await meetWithOffers(site);
    expect((await respond(seller, id, 'decline')).body).toMatchObject({ offer: { status: 'declined' } });
    expect(await readTitles(buyer)).toEqual([`${seller.name} declined your offer of $40`]);
    expect(await app.db('reservations').where({ ad_id: ad.id })).toEqual([]);
    expect(await respond(seller, id, 'accept')).toMatchObject(refusal('declined'));
  });

  test('counters it with an offer of the other side', async () => {
    const { seller, ad, buyer, id } = await meetWithOffers(site);
    const { status, body } = await counter(seller, id, '47.5');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      senderId: seller.id,
      content: 'Offer: $47.50',
      offer: { amount: '47.50', status: 'open' },
    });
    expect(await respond(seller, id, 'accept')).toMatchObject(refusal('countered'));
    expect((await respond(seller, body.offer.id, 'accept')).status).toBe(403);
    expect((await counter(buyer, body.offer.id, '0')).status).toBe(400);
    expect((await respond(buyer, body.offer.id, 'accept')).status).toBe(200);
    expect(await readTitles(seller)).toEqual([`${buyer.name} accepted your offer of $47.50`]);
    expect(await readOffers(buyer, ad.id, seller)).toEqual([
      ['40.00', 'countered'],
      ['47.50', 'accepted'],
    ]);
  });

  test('withdraws it, without a notification', async () => {
    const { seller, buyer, id } = await meetWithOffers(site);
    expect((await respond(buyer, id, 'withdraw')).body).toMatchObject({ offer: { status: 'withdrawn' } });
    expect(await respond(seller, id, 'accept')).toMatchObject(refusal('withdrawn'));
    expect(await readTitles(seller)).toEqual([]);
  });

  test('comes from the right side only; to others the offer does not exist', async () => {
    const { seller, buyer, id } = await meetWithOffers(site);
    const stranger = await createPerson(site);
    for (const how of ['accept', 'decline', 'withdraw'] as const)
      expect((await respond(stranger, id, how)).status).toBe(404);
    expect((await counter(stranger, id, '1')).status).toBe(404);
    expect((await respond(buyer, id, 'accept')).status).toBe(403);
    expect((await respond(buyer, id, 'decline')).status).toBe(403);
    expect((await counter(buyer, id, '1')).status).toBe(403);
    expect((await respond(seller, id, 'withdraw')).status).toBe(403);
    for (const unknown of ['999999999', '0', 'x', '99999999999999999999'])
      expect((await respond(seller, unknown, 'accept')).status).toBe(404);
    expect(await app.db('offers').where({ id }).first('status')).toEqual({ status: 'open' });
  });
});

describe('while the ad is reserved for another person', () => {
  test('offers about it are neither made nor accepted nor countered, and it says so', async () => {
    const { seller, ad, buyers, ids } = await meetWithOffers(site, 2);
    const [first, second] = buyers as [Person, Person];
    await respond(seller, ids[0]!, 'accept');
    expect(await respond(seller, ids[1]!, 'accept')).toMatchObject(refusal('reserved'));
    expect(await counter(seller, ids[1]!, '49')).toMatchObject(refusal('reserved'));
    expect((await readThread(second, ad.id, seller)).at(-1)).toMatchObject({ ad: { reservation: 'elsewhere' } });
    const params = { adId: ad.id, otherUserId: first.id };
    for (const { client } of [second, await createPerson(site)]) {
      const seen = (await client.ok(messages.getConversationStatus, { params })).ad;
      expect(seen).toMatchObject({ reservation: 'elsewhere' });
      expect(seen).not.toHaveProperty('reservedUntil');
    }
    expect((await respond(second, ids[1]!, 'withdraw')).status).toBe(200);
    expect(await make(second, ad.id, seller)).toMatchObject(refusal('reserved'));
    expect((await make(first, ad.id, seller, '39')).status).toBe(201);
  });
});

describe('after 48 hours', () => {
  test('an open offer has expired, even before a job has written that', async () => {
    const { seller, ad, buyer, id } = await meetWithOffers(site);
    const later = await openLater(seller, buyer);
    expect(await readOffers(later.buyer, ad.id, seller)).toEqual([['40.00', 'expired']]);
    for (const how of ['accept', 'decline'] as const)
      expect(await respond(later.seller, id, how)).toMatchObject(refusal('expired'));
    expect(await respond(later.buyer, id, 'withdraw')).toMatchObject(refusal('expired'));
    expect(await counter(later.seller, id, '44')).toMatchObject(refusal('expired'));
    expect(await readTitles(later.buyer)).toEqual([]);
    expect((await make(later.buyer, ad.id, seller, '42')).status).toBe(201);
    expect(await readTitles(later.buyer)).toEqual(['Your offer of $40 has expired']);
  });

  test('a job writes that once, and notifies who made the offer', async () => {
    const { seller, buyer, id } = await meetWithOffers(site);
    await expireOffers(app);
    expect(await app.db('offers').where({ id }).first('status')).toEqual({ status: 'open' });
    const later = await openLater(seller, buyer);
    await Promise.all([1, 2, 3].map(() => expireOffers(lateApp)));
    expect(await app.db('offers').where({ id }).first('status')).toEqual({ status: 'expired' });
    expect(await readTitles(later.buyer)).toEqual(['Your offer of $40 has expired']);
    expect(await readTitles(later.seller)).toEqual([]);
  });
});
