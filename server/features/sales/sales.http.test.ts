import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, getAd, setAdSold } from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import * as api from '../../../contract/deals.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { deleteMe } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Client } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser, nextSerial, SETTLED } from '../../../test/harness/factories.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';

const { app, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });

beforeAll(() => insertCategories(app));

interface Person {
  id: string;
  display_name: string;
  client: Client;
}
const createPerson = async (): Promise<Person> => {
  const { id, display_name } = await insertUser(app, SETTLED);
  return { id, display_name, client: await signIn(id) };
};
const write = (from: Person, adId: string, to: Person) =>
  from.client.ok(sendMessage, { body: { adId, receiverId: to.id, content: `Hello ${nextSerial()}` } });
/** A seller with an ad, and people who wrote about it in this order. */
const meet = async (writers = 1) => {
  const seller = await createPerson();
  const { id } = await seller.client.ok(createAd, { body: adBody({ title: 'Oak table' }) });
  const people: Person[] = [];
  for (let i = 0; i < writers; i++) {
    const person = await createPerson();
    await write(person, id, seller);
    people.push(person);
  }
  const [buyer, other] = people;
  return { seller, id, buyer: buyer!, other: other! };
};
const reserve = ({ client }: Person, id: string, person: { id: string }) =>
  client.call(api.reserveAd, { params: { id }, body: { userId: person.id } });
const release = ({ client }: Person, id: string) => client.call(api.releaseAd, { params: { id } });
const sell = ({ client }: Person, id: string, buyer?: { id: string }) =>
  client.call(setAdSold, { params: { id }, body: { isSold: true, ...(buyer && { buyerId: buyer.id }) } });
const relist = ({ client }: Person, id: string) => client.call(setAdSold, { params: { id }, body: { isSold: false } });
const see = ({ client }: Person, id: string) => client.ok(getAd, { params: { id } });
const getDeal = ({ client }: Person, id: string) => client.call(api.getDeal, { params: { id } });
const undo = ({ client }: Person, dealId: string) => client.call(api.undoPurchase, { params: { dealId } });
const received = async ({ client }: Person, kind: string) =>
  (await client.ok(listNotifications)).filter((notification) => notification.kind === kind);
const runJobs = () => runDueJobs(app, jobHandlers);
const rate = (dealId: string, rater: Person, rated: Person) =>
  app.db('ratings').insert({ deal_id: dealId, rater_id: rater.id, rated_id: rated.id, value: 'good' });
const movePast = (table: 'reservations' | 'deals', ad_id: string, days: number) =>
  app
    .db(table)
    .where({ ad_id })
    .update({
      created_at: app.db.raw("created_at - ? * interval '1 day'", [days]),
      ends_at: app.db.raw("ends_at - ? * interval '1 day'", [days]),
    });
const DAY = 86_400_000;

describe('a reservation', () => {
  test('is public, but for whom only the two and staff see', async () => {
    const { seller, id, buyer, other } = await meet(2);
    const { status, body } = await reserve(seller, id, buyer);
    expect(status).toBe(200);
    expect(body).toMatchObject({ isReserved: true, reservedFor: { id: buyer.id } });
    expect((Date.parse(body.reservedUntil!) - Date.now()) / DAY).toBeCloseTo(7, 2);
    const { reservedFor, reservedUntil } = body;
    for (const person of [seller, buyer])
      expect(await see(person, id)).toMatchObject({ isReserved: true, reservedFor, reservedUntil });
    const moderator = await insertUser(app, { role: 'moderator' });
    expect(await (await signIn(moderator.id)).ok(getAd, { params: { id } })).toMatchObject({ reservedFor });
    const seen = await see(other, id);
    expect(seen.isReserved).toBe(true);
    expect(seen).not.toHaveProperty('reservedFor');
    expect(seen).not.toHaveProperty('reservedUntil');
    expect(await received(buyer, 'reservation')).toMatchObject([
      { title: 'Reserved for you', body: 'Oak table', url: `/messages/${id}/${seller.id}` },
    ]);
    expect(await received(other, 'reservation')).toEqual([]);
    await write(other, id, seller);
  });

  test('is not changed by a repetition', async () => {
    const { seller, id, buyer } = await meet();
    const first = await reserve(seller, id, buyer);
    const responses = await Promise.all([reserve(seller, id, buyer), reserve(seller, id, buyer)]);
    for (const { status, body } of responses)
      expect([status, body.reservedUntil]).toEqual([200, first.body.reservedUntil]);
    expect(await received(buyer, 'reservation')).toHaveLength(1);
  });

  test('is for one person at a time, also when two are chosen at once', async () => {
    const { seller, id, buyer, other } = await meet(2);
    const responses = await Promise.all([reserve(seller, id, buyer), reserve(seller, id, other)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)?.body).toMatchObject({
      message: 'This item is reserved for another person.',
      fields: { state: 'reserved' },
    });
    expect(await app.db('reservations').where({ ad_id: id })).toHaveLength(1);
  });

  test('is released by its owner or by the person, and by no one else', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await reserve(seller, id, buyer);
    expect((await release(other, id)).status).toBe(403);
    expect((await release(buyer, id)).body).not.toHaveProperty('isReserved');
    expect(await received(seller, 'reservation')).toMatchObject([
      { title: `${buyer.display_name} released the reservation`, url: `/messages/${id}/${buyer.id}` },
    ]);
    await reserve(seller, id, buyer);
    for (let i = 0; i < 2; i++) expect((await release(seller, id)).status).toBe(200);
    expect(await see(seller, id)).not.toHaveProperty('isReserved');
    const [newest, ...earlier] = await received(buyer, 'reservation');
    expect([newest?.title, earlier.length]).toEqual(['No longer reserved for you', 2]);
  });

  test('ends after seven days, even if the job is late, and both people are notified once', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await reserve(seller, id, buyer);
    await movePast('reservations', id, 7);
    expect(await see(seller, id)).not.toHaveProperty('isReserved');
    await Promise.all(Array.from({ length: 3 }, () => jobHandlers['end-reservations'](app, {}, {} as never)));
    expect(await app.db('reservations').where({ ad_id: id })).toEqual([]);
    expect((await received(buyer, 'reservation'))[0]).toMatchObject({ title: 'The reservation for you has ended' });
    expect(await received(seller, 'reservation')).toMatchObject([{ title: 'The reservation has ended' }]);
    expect((await reserve(seller, id, other)).status).toBe(200);
  });

  test('that has ended gives way to the next before the job has run', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await reserve(seller, id, buyer);
    await movePast('reservations', id, 7);
    expect((await reserve(seller, id, other)).body.reservedFor?.id).toBe(other.id);
    await jobHandlers['end-reservations'](app, {}, {} as never);
    expect((await see(seller, id)).reservedFor?.id).toBe(other.id);
  });

  test('is refused for oneself, unknown and deleted people, and people who never wrote', async () => {
    const { seller, id, buyer } = await meet();
    const stranger = await createPerson();
    await buyer.client.ok(deleteMe);
    for (const person of [seller, stranger, buyer, { id: '999999999' }])
      expect(await reserve(seller, id, person)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { userId: expect.any(String) } },
      });
    for (const userId of ['', 'x', '-1', '1e3', ' 5', '99999999999999999999'])
      expect([userId, (await reserve(seller, id, { id: userId })).status]).toEqual([userId, 400]);
    expect(await app.db('reservations').where({ ad_id: id })).toEqual([]);
  });

  test('of a sold ad, or for a person who is blocked, is refused with the state', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await buyer.client.ok(blockUser, { params: { userId: seller.id } });
    expect(await reserve(seller, id, buyer)).toMatchObject({ status: 409, body: { fields: { state: 'unavailable' } } });
    await sell(seller, id);
    expect(await reserve(seller, id, other)).toMatchObject({ status: 409, body: { fields: { state: 'sold' } } });
  });
});

describe('a sale to a person', () => {
  test('is a deal that the two see, ends the reservation and notifies the buyer', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await reserve(seller, id, other);
    expect((await sell(seller, id, buyer)).body).toMatchObject({ isSold: true });
    expect(await see(seller, id)).not.toHaveProperty('isReserved');
    expect(await received(buyer, 'deal')).toMatchObject([
      {
        title: `${seller.display_name} sold this to you. Did you buy it?`,
        body: 'Oak table',
        url: '/dashboard#purchases',
      },
    ]);
    const common = { canRate: true, ownRating: null, otherRating: null, ad: { id, title: 'Oak table', isSold: true } };
    const sale = { ...common, role: 'seller', other: { id: buyer.id }, canUndo: false };
    const purchase = { ...common, role: 'buyer', other: { id: seller.id }, canUndo: true };
    expect((await getDeal(seller, id)).body).toMatchObject(sale);
    expect((await getDeal(buyer, id)).body).toMatchObject(purchase);
    expect((await getDeal(other, id)).status).toBe(404);
    expect(await seller.client.ok(api.listSales)).toMatchObject([sale]);
    expect(await seller.client.ok(api.listPurchases)).toEqual([]);
    const [deal] = await buyer.client.ok(api.listPurchases);
    expect(deal).toMatchObject(purchase);
    expect((Date.parse(deal!.endsAt) - Date.now()) / DAY).toBeCloseTo(14, 2);
  });

  test('is for the seller only, also where a repetition changes nothing', async () => {
    const { seller, id, buyer } = await meet();
    await sell(seller, id, buyer);
    for (const person of [buyer, await createPerson()])
      expect(await sell(person, id)).toMatchObject({ status: 403, body: { message: 'This is not your ad' } });
    expect((await sell(seller, id)).status).toBe(200);
  });

  test.each([
    { name: 'held', state: 'pending' },
    { name: 'removed', state: 'inactive' },
  ])('is refused while staff has the ad $name', async ({ state }) => {
    const { seller, id, buyer } = await meet();
    await app.db('ads').where({ id }).update({ state, taken_down: true });
    for (const attempt of [sell(seller, id), sell(seller, id, buyer)])
      expect(await attempt).toMatchObject({ status: 409, body: { fields: { state: 'unavailable' } } });
    expect(await app.db('deals').where({ ad_id: id })).toEqual([]);
  });

  test('happens once: of several at once the losers learn the state', async () => {
    const { seller, id, buyer, other } = await meet(2);
    const responses = await Promise.all([sell(seller, id, buyer), sell(seller, id, other), sell(seller, id, buyer)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    for (const { status, body } of responses)
      if (status === 409)
        expect(body).toMatchObject({ message: 'This item has been sold.', fields: { state: 'sold' } });
    expect(await app.db('deals').where({ ad_id: id })).toHaveLength(1);
    const count = (await received(buyer, 'deal')).length + (await received(other, 'deal')).length;
    expect(count).toBe(1);
  });

  test('and a reservation for another person at once never leave both', async () => {
    for (let round = 0; round < 5; round++) {
      const { seller, id, buyer, other } = await meet(2);
      const [sold] = await Promise.all([sell(seller, id, buyer), reserve(seller, id, other)]);
      expect(sold.status).toBe(200);
      expect(await app.db('reservations').where({ ad_id: id })).toEqual([]);
    }
  });

  test('is refused for oneself, strangers, deleted and blocked people, without a trace', async () => {
    const { seller, id, buyer, other } = await meet(2);
    const stranger = await createPerson();
    await buyer.client.ok(deleteMe);
    await other.client.ok(blockUser, { params: { userId: seller.id } });
    for (const person of [seller, stranger, buyer, other, { id: '999999999' }, { id: 'x' }])
      expect(await sell(seller, id, person)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', fields: { buyerId: expect.any(String) } },
      });
    const withoutSale = { isSold: false, buyerId: other.id };
    expect(await seller.client.call(setAdSold, { params: { id }, body: withoutSale })).toMatchObject({
      status: 400,
      body: { fields: { buyerId: 'An item that is available has no buyer' } },
    });
    expect((await see(seller, id)).isSold).toBe(false);
    expect(await app.db('deals').where({ ad_id: id })).toEqual([]);
  });

  test('without a buyer is repeated without an effect, and with one refused', async () => {
    const { seller, id, buyer } = await meet();
    await sell(seller, id);
    const { sold_at } = await app.db('ads').where({ id }).first('sold_at');
    expect((await sell(seller, id)).status).toBe(200);
    expect(await app.db('ads').where({ id }).first('sold_at')).toEqual({ sold_at });
    expect((await sell(seller, id, buyer)).body.fields).toEqual({ state: 'sold' });
    expect((await getDeal(seller, id)).status).toBe(404);
  });
});

test('buyers are the people who wrote, newest first, in pages, without deleted and blocked ones', async () => {
  const { seller, id, buyer, other } = await meet(2);
  const list = (query = {}) => seller.client.call(api.listBuyers, { params: { id }, query });
  const ids = async (query = {}) => (await list(query)).body.map((person: { id: string }) => person.id);
  expect(await ids()).toEqual([other.id, buyer.id]);
  await write(buyer, id, seller);
  const first = await list({ limit: '1' });
  expect(first.body).toMatchObject([{ id: buyer.id }]);
  const cursor = /cursor=(\d+)/.exec(first.headers.get('link') ?? '')?.[1];
  expect(await ids({ limit: '1', cursor })).toEqual([other.id]);
  await other.client.ok(deleteMe);
  expect(await ids()).toEqual([buyer.id]);
  await seller.client.ok(blockUser, { params: { userId: buyer.id } });
  expect(await ids()).toEqual([]);
  expect((await buyer.client.call(api.listBuyers, { params: { id } })).status).toBe(403);
});

describe('others who wrote', () => {
  const sold = async (person: Person) =>
    (await received(person, 'deal')).filter(({ title }) => title === 'This item has been sold.');

  test('are notified once that the item has been sold, unless that was long ago', async () => {
    const { seller, id, buyer, other } = await meet(2);
    const late = await createPerson();
    await write(late, id, seller);
    await app
      .db('messages')
      .where({ ad_id: id, sender_id: late.id })
      .update({ created_at: app.db.raw("now() - interval '31 days'") });
    await sell(seller, id, buyer);
    await runJobs();
    await Promise.all([1, 2, 3].map(() => jobHandlers['notify-of-sale'](app, { adId: id }, {} as never)));
    expect(await sold(other)).toMatchObject([{ body: 'Oak table', url: `/ads/${id}` }]);
    expect([await sold(buyer), await sold(late), await sold(seller)]).toEqual([[], [], []]);
    // sold again within a day: they know
    await relist(seller, id);
    await sell(seller, id);
    await runJobs();
    expect(await sold(other)).toHaveLength(1);
    expect(await sold(buyer)).toHaveLength(1);
  });

  test('are not notified of an item that is available again, nor across a block', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await buyer.client.ok(blockUser, { params: { userId: seller.id } });
    await sell(seller, id);
    await relist(seller, id);
    await runJobs();
    expect(await sold(other)).toEqual([]);
    await sell(seller, id);
    await runJobs();
    expect([(await sold(other)).length, await sold(buyer)]).toEqual([1, []]);
  });
});

describe('an ad that is available again', () => {
  test('loses a deal without a rating', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await sell(seller, id, buyer);
    expect((await relist(seller, id)).body.isSold).toBe(false);
    expect((await getDeal(buyer, id)).status).toBe(404);
    expect((await sell(seller, id, other)).status).toBe(200);
    expect(await buyer.client.ok(api.listPurchases)).toEqual([]);
  });

  test('keeps a deal with a rating, and may be sold again', async () => {
    const { seller, id, buyer, other } = await meet(2);
    await sell(seller, id, buyer);
    const { id: dealId } = (await getDeal(buyer, id)).body;
    await rate(dealId, buyer, seller);
    await relist(seller, id);
    expect((await getDeal(buyer, id)).body.id).toBe(dealId);
    expect((await sell(seller, id, other)).status).toBe(200);
    expect((await seller.client.ok(api.listSales)).map(({ other }) => other.id)).toEqual([other.id, buyer.id]);
  });
});

describe('a purchase that the buyer did not make', () => {
  test('is undone once; the item stays sold, and the seller is notified', async () => {
    const { seller, id, buyer } = await meet();
    await sell(seller, id, buyer);
    const { id: dealId } = (await getDeal(buyer, id)).body;
    const stranger = await createPerson();
    for (const person of [seller, stranger]) expect((await undo(person, dealId)).status).toBe(404);
    const responses = await Promise.all([undo(buyer, dealId), undo(buyer, dealId)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 404]);
    expect((await getDeal(seller, id)).status).toBe(404);
    expect((await see(seller, id)).isSold).toBe(true);
    expect(await received(seller, 'deal')).toMatchObject([
      { title: `${buyer.display_name} says that they did not buy this`, body: 'Oak table' },
    ]);
  });

  test.each([
    { name: 'the seller has rated it', raters: ['seller'], isRelisted: false },
    { name: 'the buyer has rated it', raters: ['buyer'], isRelisted: false },
    { name: 'both have rated it', raters: ['seller', 'buyer'], isRelisted: false },
    { name: 'it is rated and the item is back on the market', raters: ['seller'], isRelisted: true },
  ])('stays with its ratings if $name', async ({ raters, isRelisted }) => {
    const { seller, id, buyer } = await meet();
    await sell(seller, id, buyer);
    const { id: dealId } = (await getDeal(buyer, id)).body;
    if (raters.includes('seller')) await rate(dealId, seller, buyer);
    if (raters.includes('buyer')) await rate(dealId, buyer, seller);
    if (isRelisted) await relist(seller, id);
    expect((await getDeal(buyer, id)).body).toMatchObject({ canUndo: false });
    expect(await undo(buyer, dealId)).toMatchObject({ status: 409, body: { fields: { state: 'has_rating' } } });
    expect(await app.db('ratings').where({ deal_id: dealId })).toHaveLength(raters.length);
  });

  test('stays after 14 days', async () => {
    const { seller, id, buyer } = await meet();
    await sell(seller, id, buyer);
    await movePast('deals', id, 14);
    const { body } = await getDeal(buyer, id);
    expect(body).toMatchObject({ canUndo: false, canRate: false });
    expect(await undo(buyer, body.id)).toMatchObject({
      status: 409,
      body: { message: 'The time for this is over.', fields: { state: 'too_late' } },
    });
  });
});
