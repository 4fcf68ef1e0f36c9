import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, listAds } from '../../../contract/ads.ts';
import * as api from '../../../contract/blocks.ts';
import { toggleFavorite } from '../../../contract/favorites.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { getConversation, getConversationStatus, sendMessage } from '../../../contract/messages.ts';
import { suggestSearches } from '../../../contract/search.ts';
import { deleteMe, exportMyData, getProfile } from '../../../contract/users.ts';
import { openTestApp, type Person } from '../../../test/harness/app.ts';
import { adBody, insertCategories } from '../../../test/harness/factories.ts';
import { JUST_WROTE } from '../../../test/harness/sessions.ts';

import { withDatabase } from '../../db/transaction.ts';
import { deleteMe as deleteMyself } from '../account/removal.ts';

const { app, anonymous, createPerson } = await openTestApp();

beforeAll(() => insertCategories(app));

const block = (by: Person, other: { id: string }) => by.client.call(api.blockUser, { params: { userId: other.id } });
const unblock = (by: Person, other: Person) => by.client.call(api.unblockUser, { params: { userId: other.id } });
const send = (from: Person, adId: string, to: Person) =>
  from.client.call(sendMessage, { body: { adId, receiverId: to.id, content: 'Hello' } });
const statusOf = (of: Person, adId: string, other: Person) =>
  of.client.ok(getConversationStatus, { params: { adId, otherUserId: other.id } });

const meet = async () => {
  const [seller, buyer] = [await createPerson(), await createPerson()];
  const ad = await seller.client.ok(createAd, { body: adBody({ title: `Okapi ${seller.id}` }) });
  return { seller, buyer, ad };
};

describe('a block', () => {
  test('is possible of a person of a conversation whose profile is hidden', async () => {
    const { seller, buyer, ad } = await meet();
    expect((await send(buyer, ad.id, seller)).status).toBe(201);
    await app.db('users').where({ id: buyer.id }).update({ suspended_until: '2999-01-01' });
    expect((await block(seller, buyer)).status).toBe(200);
    expect((await block(await createPerson(), buyer)).status).toBe(404);
  });

  test('of a person who deletes the account at the same time is refused', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    const trx = await app.db.transaction();
    await deleteMyself(withDatabase(app, trx), { kind: 'user', id: ben.id, role: 'user' });
    const blocked = block(ann, ben);
    const isWaiting = app
      .db('pg_stat_activity')
      .where({ wait_event_type: 'Lock', datname: app.db.raw('current_database()') });
    await expect.poll(() => isWaiting.clone().first('pid')).toBeDefined();
    await trx.commit();
    expect((await blocked).status).toBe(404);
    expect(await ann.client.ok(api.listBlocks)).toEqual([]);
  });

  test('is listed for the blocker, who ends it; a repetition changes nothing', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    for (let i = 0; i < 2; i++)
      expect(await block(ann, ben)).toMatchObject({ status: 200, body: { user: { id: ben.id } } });
    expect(await ann.client.ok(api.listBlocks)).toMatchObject([{ user: { id: ben.id, username: ben.username } }]);
    expect(await ann.client.ok(api.getBlock, { params: { userId: ben.id } })).toEqual({ isBlocked: true });
    expect(await ben.client.ok(api.listBlocks)).toEqual([]);
    for (let i = 0; i < 2; i++) expect((await unblock(ann, ben)).status).toBe(204);
    expect(await ann.client.ok(api.listBlocks)).toEqual([]);
  });

  test('is refused for oneself, unknown and deleted people, and beyond the limit', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    expect(await block(ann, ann)).toMatchObject({ status: 400, body: { fields: { userId: expect.any(String) } } });
    for (const id of ['999999999', 'x', '0']) expect((await block(ann, { id })).status).toBe(404);
    await ben.client.call(deleteMe);
    expect((await block(ann, ben)).status).toBe(404);
    await app.db.raw(
      `with others as (insert into users (display_name) select 'Other ' || n from generate_series(1, ?::int) n returning id)
       insert into blocks (blocker_id, blocked_id) select ?::bigint, id from others`,
      [LIMITS.blocks - 1, ann.id],
    );
    const two = [await createPerson(), await createPerson()];
    const statuses = (await Promise.all(two.map((person) => block(ann, person)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409]);
    expect(await app.db('blocks').where({ blocker_id: ann.id }).count()).toEqual([{ count: String(LIMITS.blocks) }]);
  });

  test('leaves one row when it is requested many times at once', async () => {
    const [ann, ben] = [await createPerson(), await createPerson()];
    const all = await Promise.all(Array.from({ length: 8 }, () => block(ann, ben)));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect(await app.db('blocks').where({ blocker_id: ann.id })).toHaveLength(1);
  });

  test('ends with either account, and is exported for the blocker only', async () => {
    const [ann, ben, cem] = [await createPerson(), await createPerson(), await createPerson()];
    await block(ann, ben);
    await block(cem, ann);
    const { body } = await ann.client.call(exportMyData);
    expect(body).toMatchObject({ blocks: [{ userId: ben.id, username: ben.username }] });
    await ann.client.call(deleteMe);
    expect(await app.db('blocks').where({ blocker_id: ann.id }).orWhere({ blocked_id: ann.id })).toEqual([]);
  });
});

describe('between people of whom one blocked the other', () => {
  test('neither starts a conversation; only the blocker sees why', async () => {
    for (const blocker of ['seller', 'buyer'] as const) {
      const { seller, buyer, ad } = await meet();
      await (blocker === 'seller' ? block(seller, buyer) : block(buyer, seller));
      const sent = await send(buyer, ad.id, seller);
      expect([sent.status, sent.body.code]).toEqual([403, 'messages_not_allowed']);
      expect(await statusOf(buyer, ad.id, seller)).toMatchObject({
        canSend: false,
        isBlocked: blocker === 'buyer',
        reason: blocker === 'buyer' ? 'blocked_by_oneself' : 'no_messages',
      });
    }
  });

  test('neither goes on with a conversation, which stays readable, until the block ends', async () => {
    const { seller, buyer, ad } = await meet();
    await send(buyer, ad.id, seller);
    await block(seller, buyer);
    expect((await send(buyer, ad.id, seller)).body.message).toBe('Contact information not available');
    expect((await send(seller, ad.id, buyer)).status).toBe(403);
    for (const [one, other] of [
      [seller, buyer],
      [buyer, seller],
    ] as const) {
      const params = { adId: ad.id, otherUserId: other.id };
      expect(await one.client.ok(getConversation, { params })).toMatchObject([{ content: 'Hello' }]);
    }
    await unblock(seller, buyer);
    expect((await send(buyer, ad.id, seller)).status).toBe(201);
  });

  test('no message slips in beside the block', async () => {
    for (let round = 0; round < 10; round++) {
      const { seller, buyer, ad } = await meet();
      const [sent, blocked] = await Promise.all([send(buyer, ad.id, seller), block(seller, buyer)]);
      expect(blocked.status).toBe(200);
      expect([201, 403]).toContain(sent.status);
      const messages = await app.db('messages').where({ ad_id: ad.id });
      expect(messages).toHaveLength(sent.status === 201 ? 1 : 0);
      const [row] = await app.db('blocks').where({ blocker_id: seller.id });
      for (const message of messages)
        expect(Date.parse(message.created_at)).toBeLessThanOrEqual(Date.parse(row.created_at) + 1000);
    }
  });

  test('the blocked person still saves the ads and sees the profile of the blocker', async () => {
    const { seller, buyer, ad } = await meet();
    await block(seller, buyer);
    expect((await buyer.client.call(toggleFavorite, { params: { id: ad.id } })).status).toBe(200);
    expect((await buyer.client.call(getProfile, { params: { username: seller.username! } })).status).toBe(200);
  });
});

describe('lists', () => {
  const titles = async (client: Person['client'] | typeof anonymous, query = {}) =>
    (await client.ok(listAds, { query })).map(({ title }) => title);

  test.each([
    ['all ads', () => ({})],
    ['a search', () => ({ search: 'okapi' })],
    [
      'a category and prices',
      (ad: { category: string }) => ({ category: ad.category, minPrice: '0', maxPrice: '99999' }),
    ],
    ['a search within prices', () => ({ search: 'okapi', minPrice: '0' })],
  ])('%s: leave out the ads of a blocked seller for the blocker alone', async (_name, toQuery) => {
    const { seller, buyer, ad } = await meet();
    const other = await createPerson();
    const query = toQuery(ad);
    expect(await titles(buyer.client, query)).toContain(ad.title);
    await block(buyer, seller);
    // without the browser's cookie after a write, the session learns of the block by an event, a moment later
    await expect.poll(() => titles(buyer.client, query)).not.toContain(ad.title);
    for (let i = 0; i < 3; i++) {
      expect(await titles(other.client, query)).toContain(ad.title);
      expect(await titles(anonymous, query)).toContain(ad.title);
      expect(await titles(buyer.client, query)).not.toContain(ad.title);
    }
    await unblock(buyer, seller);
    await expect.poll(() => titles(buyer.client, query)).toContain(ad.title);
  });

  test('suggestions leave out the words of a blocked seller', async () => {
    const [seller, buyer] = [await createPerson(), await createPerson()];
    await seller.client.ok(createAd, { body: adBody({ title: 'Zebroid' }) });
    const suggest = async () => (await buyer.client.ok(suggestSearches, { query: { search: 'zebr' } })).searches;
    expect(await suggest()).toEqual(['zebroid']);
    await block(buyer, seller);
    await expect.poll(suggest).toEqual([]);
  });

  test('the first HTML of the home page leaves them out as well', async () => {
    const { seller, buyer, ad } = await meet();
    expect(String((await buyer.client.send('/')).body)).toContain(ad.title);
    await block(buyer, seller);
    // the browser's cookie after a write: other sessions learn of the block by an event, a moment later
    buyer.client.headers.Cookie = `${buyer.client.headers.Cookie}; ${JUST_WROTE}`;
    expect(String((await buyer.client.send('/')).body)).not.toContain(ad.title);
    expect((await buyer.client.send(`/ads/${ad.id}`)).status).toBe(200);
  });
});

test('a received message with a link to elsewhere carries a warning, for its receiver only', async () => {
  const { seller, buyer, ad } = await meet();
  const body = { adId: ad.id, receiverId: seller.id, content: 'Pay at https://pay.evil.test/now' };
  expect(await buyer.client.ok(sendMessage, { body })).not.toHaveProperty('warning');
  const read = (by: Person, other: Person) =>
    by.client.ok(getConversation, { params: { adId: ad.id, otherUserId: other.id } });
  expect((await read(seller, buyer))[0]).toMatchObject({ warning: true });
  expect((await read(buyer, seller))[0]).not.toHaveProperty('warning');
});
