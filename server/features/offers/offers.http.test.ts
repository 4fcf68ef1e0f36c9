import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { DEAL_REFUSALS, type DealRefusal } from '../../../contract/deals.ts';
import * as messages from '../../../contract/messages.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import * as api from '../../../contract/offers.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

interface Person {
  id: string;
  name: string;
  client: Client;
}
const openPerson = async (): Promise<Person> => {
  const { id, display_name: name } = await insertUser(app);
  return { id, name, client: await signIn(id) };
};

const write = async (from: Person, adId: string, to: Person) =>
  from.client.ok(messages.sendMessage, { body: { adId, receiverId: to.id, content: `Hello from ${from.name}` } });
const make = (from: Person, adId: string, to: Person, amount = '40') =>
  from.client.call(api.makeOffer, { body: { adId, receiverId: to.id, amount } });
const respond = (by: Person, id: string, how: 'accept' | 'decline' | 'withdraw') =>
  by.client.call({ accept: api.acceptOffer, decline: api.declineOffer, withdraw: api.withdrawOffer }[how], {
    params: { id },
  });
const counter = (by: Person, id: string, amount: string) =>
  by.client.call(api.counterOffer, { params: { id }, body: { amount } });
const readThread = (me: Person, adId: string, other: Person) =>
  me.client.ok(messages.getConversation, { params: { adId, otherUserId: other.id } });
const readOffers = async (me: Person, adId: string, other: Person) =>
  (await readThread(me, adId, other)).flatMap(({ offer }) => (offer ? [[offer.amount, offer.status]] : []));
const readTitles = async (of: Person) =>
  (await of.client.ok(listNotifications)).filter(({ kind }) => kind === 'offer').map(({ title }) => title);

/** A seller with a negotiable ad for $50, and buyers who wrote about it. */
const meet = async (buyerCount = 1, fields = {}) => {
  const seller = await openPerson();
  const ad = await seller.client.ok(createAd, { body: adBody({ price: '50', priceType: 'negotiable', ...fields }) });
  const buyers: Person[] = [];
  for (let i = 0; i < buyerCount; i++) {
    const buyer = await openPerson();
    await write(buyer, ad.id, seller);
    buyers.push(buyer);
  }
  return { seller, ad, buyers, buyer: buyers[0]! };
};

const offered = async (buyerCount = 1) => {
  const met = await meet(buyerCount);
  const ids: string[] = [];
  for (const buyer of met.buyers) ids.push((await make(buyer, met.ad.id, met.seller)).body.offer.id);
  return { ...met, ids, id: ids[0]! };
};

const refusal = (state: DealRefusal) => ({
  status: 409,
  body: { code: 'conflict', message: DEAL_REFUSALS[state], fields: { state } },
});

describe('an offer', () => {
  test('is a message of the thread with an amount, a status and an end after 48 hours', async () => {
    const { seller, ad, buyer } = await meet();
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
    const inbox = await seller.client.ok(messages.listInbox);
    expect(inbox[ad.id]?.[0]).toMatchObject({ offer: { status: 'open' } });
    expect(await seller.client.ok(messages.getUnreadCount)).toEqual({ unreadCount: 2 });
  });

  test('may come from the seller of the ad, too', async () => {
    const { seller, ad, buyer } = await meet();
    const { body } = await make(seller, ad.id, buyer, '48');
    expect((await respond(buyer, body.offer.id, 'accept')).body).toMatchObject({ ad: { reservation: 'own' } });
  });

  test('needs a conversation, a negotiable ad and a positive amount within the limit', async () => {
    const { seller, ad, buyer } = await meet();
    const stranger = await openPerson();
    expect(await make(stranger, ad.id, seller)).toMatchObject({
      status: 403,
      body: { code: 'messages_not_allowed', message: 'Write a message first.' },
    });
    const fixed = await meet(1, { priceType: 'fixed' });
    expect(await make(fixed.buyer, fixed.ad.id, fixed.seller)).toMatchObject(refusal('fixed_price'));
    for (const amount of ['0', '0.00', '-1', '', 'ten', '1e3', '100000000', '1.234', true, null])
      expect((await make(buyer, ad.id, seller, amount as string)).status, String(amount)).toBe(400);
    expect((await make(buyer, ad.id, buyer)).status).toBe(403);
    expect((await make(buyer, '999999999', seller)).status).toBe(404);
    expect((await make(buyer, 'x', seller)).status).toBe(400);
    expect(await app.db('offers').whereIn('ad_id', [ad.id, fixed.ad.id])).toEqual([]);
  });

  test('is one of a conversation as long as it is open', async () => {
    const { seller, ad, buyer, id } = await offered();
    expect(await make(buyer, ad.id, seller)).toMatchObject(refusal('has_open_offer'));
    expect(await make(seller, ad.id, buyer)).toMatchObject(refusal('has_open_offer'));
    await respond(buyer, id, 'withdraw');
    expect((await make(buyer, ad.id, seller, '41')).status).toBe(201);
    expect(await readOffers(seller, ad.id, buyer)).toEqual([
      ['40.00', 'withdrawn'],
      ['41.00', 'open'],
    ]);
  });

  test('of a key is made once', async () => {
    const { seller, ad, buyer } = await meet();
    const body = { adId: ad.id, receiverId: seller.id, amount: '40' };
    const headers = { 'Idempotency-Key': 'offer-of-this-test' };
    const replies = [];
    for (let i = 0; i < 2; i++) replies.push(await buyer.client.ok(api.makeOffer, { body, headers }));
    expect(replies[0]).toEqual(replies[1]);
    expect(await app.db('offers').where({ ad_id: ad.id })).toHaveLength(1);
  });
});

describe('a response to an offer', () => {
  test('accepts it: the ad is reserved for the buyer for 7 days, and the maker is notified', async () => {
    const { seller, ad, buyer, id } = await offered();
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
    const { seller, ad, buyer, id } = await offered();
    expect((await respond(seller, id, 'decline')).body).toMatchObject({ offer: { status: 'declined' } });
    expect(await readTitles(buyer)).toEqual([`${seller.name} declined your offer of $40`]);
    expect(await app.db('reservations').where({ ad_id: ad.id })).toEqual([]);
    expect(await respond(seller, id, 'accept')).toMatchObject(refusal('declined'));
  });

  test('counters it with an offer of the other side', async () => {
    const { seller, ad, buyer, id } = await offered();
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
    const { seller, buyer, id } = await offered();
    expect((await respond(buyer, id, 'withdraw')).body).toMatchObject({ offer: { status: 'withdrawn' } });
    expect(await respond(seller, id, 'accept')).toMatchObject(refusal('withdrawn'));
    expect(await readTitles(seller)).toEqual([]);
  });

  test('comes from the right side only; to others the offer does not exist', async () => {
    const { seller, buyer, id } = await offered();
    const stranger = await openPerson();
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
    const { seller, ad, buyers, ids } = await offered(2);
    const [first, second] = buyers as [Person, Person];
    await respond(seller, ids[0]!, 'accept');
    expect(await respond(seller, ids[1]!, 'accept')).toMatchObject(refusal('reserved'));
    expect(await counter(seller, ids[1]!, '49')).toMatchObject(refusal('reserved'));
    expect((await readThread(second, ad.id, seller)).at(-1)).toMatchObject({ ad: { reservation: 'elsewhere' } });
    expect((await respond(second, ids[1]!, 'withdraw')).status).toBe(200);
    expect(await make(second, ad.id, seller)).toMatchObject(refusal('reserved'));
    expect((await make(first, ad.id, seller, '39')).status).toBe(201);
  });
});

describe('after 48 hours', () => {
  const pass = (id: string) =>
    app
      .db('offers')
      .where({ id })
      .update({ created_at: app.db.raw("now() - interval '49 hours'"), expires_at: app.db.raw('now()') });

  test('an open offer has expired, even before a job has written that', async () => {
    const { seller, ad, buyer, id } = await offered();
    await pass(id);
    expect(await readOffers(buyer, ad.id, seller)).toEqual([['40.00', 'expired']]);
    for (const how of ['accept', 'decline'] as const)
      expect(await respond(seller, id, how)).toMatchObject(refusal('expired'));
    expect(await counter(seller, id, '44')).toMatchObject(refusal('expired'));
    expect((await make(buyer, ad.id, seller, '42')).status).toBe(201);
    expect(await readTitles(buyer)).toEqual(['Your offer of $40 has expired']);
  });
});
