import { beforeAll, describe, expect, test } from 'vitest';
import { banUser, deleteAdAsAdmin, deleteUser, setAdStatus } from '../../contract/admin.ts';
import { createAd, deleteAd, getAd, setAdSold, updateAd } from '../../contract/ads.ts';
import { listFavoriteIds, toggleFavorite } from '../../contract/favorites.ts';
import { getConversation, getUnreadCount, markMessageRead, sendMessage } from '../../contract/messages.ts';
import { deleteMe } from '../../contract/users.ts';
import { openTestApp } from '../harness/app.ts';
import type { Answer } from '../harness/client.ts';
import { adBody, insertCategories } from '../harness/factories.ts';

const { app, createPerson } = await openTestApp();
const ROUNDS = 8;

beforeAll(() => insertCategories(app));

const meet = async () => {
  const [seller, buyer, admin] = [await createPerson(), await createPerson(), await createPerson({ role: 'admin' })];
  const { id } = await seller.client.ok(createAd, { body: adBody({ title: 'Before' }) });
  return { seller, buyer, admin, id, params: { id } };
};
type Meeting = Awaited<ReturnType<typeof meet>>;

/** Runs calls concurrently, many times. None may fail with a 5xx. */
const race = async (
  start: (meeting: Meeting) => Promise<Answer>[],
  check: (answers: Answer[], meeting: Meeting) => Promise<void>,
) => {
  for (let round = 0; round < ROUNDS; round++) {
    const meeting = await meet();
    const answers = await Promise.all(start(meeting));
    for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBeLessThan(500);
    await check(answers, meeting);
  }
};
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const rowOf = (id: string) => app.db('ads').where({ id }).first();

describe('at the same moment', () => {
  test('an edit and a deletion: the ad is gone, and never half there', () =>
    race(
      ({ seller: { client }, params }) => [
        client.call(updateAd, { params, body: adBody({ title: 'After' }) }),
        client.call(deleteAd, { params }),
        client.call(setAdSold, { params, body: { isSold: true } }),
      ],
      async ([edit, deletion, sold], { id }) => {
        expect(deletion?.status).toBe(204);
        expect([200, 404]).toContain(edit?.status);
        expect([200, 404]).toContain(sold?.status);
        expect(await rowOf(id)).toMatchObject({ state: 'deleted', title: '', description: '', is_sold: false });
      },
    ));

  test('two edits: one of them, whole', () =>
    race(
      ({ seller: { client }, params }) =>
        ['A', 'B'].map((name) =>
          client.call(updateAd, { params, body: adBody({ title: name, description: `${name} description` }) }),
        ),
      async (answers, { id }) => {
        expect(statuses(answers)).toEqual([200, 200]);
        const { title, description } = await rowOf(id);
        expect(description).toBe(`${title} description`);
      },
    ));

  test("an administrator's rejection and the owner's edit: never live by accident", () =>
    race(
      ({ seller, admin, params }) => [
        admin.client.call(setAdStatus, { params, body: { status: 'inactive', reason: 'no' } }),
        seller.client.call(updateAd, { params, body: adBody({ title: 'After' }) }),
      ],
      async (answers, { id }) => {
        expect(statuses(answers)).toEqual([200, 200]);
        expect(await rowOf(id)).toMatchObject({ listed: false });
      },
    ));

  test('a message and a ban of its writer: sent before, or refused', () =>
    race(
      ({ seller, buyer, admin, id }) => [
        buyer.client.call(sendMessage, { body: { adId: id, receiverId: seller.id, content: 'Hi' } }),
        admin.client.call(banUser, { params: { id: buyer.id } }),
      ],
      async ([message, ban], { id }) => {
        expect(ban?.status).toBe(200);
        expect([201, 401, 403]).toContain(message?.status);
        const stored = await app.db('messages').where({ ad_id: id });
        expect(stored).toHaveLength(message?.status === 201 ? 1 : 0);
      },
    ));

  test('a message, the deletion of its ad and of its seller: sent before, or refused', () =>
    race(
      ({ seller, buyer, admin, id }) => [
        buyer.client.call(sendMessage, { body: { adId: id, receiverId: seller.id, content: 'Hi' } }),
        seller.client.call(deleteAd, { params: { id } }),
        admin.client.call(deleteUser, { params: { id: seller.id } }),
      ],
      async ([message], { seller, id }) => {
        expect([201, 403, 404]).toContain(message?.status);
        expect(await app.db('messages').where({ ad_id: id })).toHaveLength(message?.status === 201 ? 1 : 0);
        expect(await app.db('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' })).toEqual([]);
      },
    ));

  test('a new ad and a ban or deletion of its seller: no ad of theirs stays public', () =>
    race(
      ({ seller, admin }) => [
        seller.client.call(createAd, { body: adBody() }),
        seller.client.call(createAd, { body: adBody() }),
        admin.client.call(banUser, { params: { id: seller.id } }),
      ],
      async (_answers, { seller }) => {
        expect(await app.db('ads').where({ user_id: seller.id, listed: true })).toEqual([]);
      },
    ));

  test('saving an ad and its deletion: nothing is left of it among the saved', () =>
    race(
      ({ seller, buyer, admin, params }) => [
        ...Array.from({ length: 4 }, () => buyer.client.call(toggleFavorite, { params })),
        seller.client.call(deleteAd, { params }),
        admin.client.call(deleteAdAsAdmin, { params }),
      ],
      async (answers, { buyer, id, admin }) => {
        expect(statuses(answers.slice(4)).toSorted()).toEqual([204, 404]);
        expect(await app.db('favorites').where({ ad_id: id })).toEqual([]);
        expect(await buyer.client.ok(listFavoriteIds)).toEqual([]);
        expect((await admin.client.call(getAd, { params: { id } })).status).toBe(404);
      },
    ));

  test('deleting oneself from two windows while posting: gone once, with everything', () =>
    race(
      ({ seller: { client } }) => [
        client.call(deleteMe),
        client.call(deleteMe),
        client.call(createAd, { body: adBody() }),
      ],
      async (answers, { seller }) => {
        expect(statuses(answers)).toContain(204);
        expect(await app.db('users').where({ id: seller.id }).first()).toMatchObject({ username: null });
        expect(await app.db('ads').where({ user_id: seller.id }).whereNot({ state: 'deleted' })).toEqual([]);
      },
    ));

  test('writing and reading: every message once, in order, and the unread count is that of the rows', () =>
    race(
      ({ seller, buyer, id }) => [
        ...Array.from({ length: 4 }, (_, i) =>
          buyer.client.call(sendMessage, { body: { adId: id, receiverId: seller.id, content: `b${i}` } }),
        ),
        seller.client.call(getUnreadCount),
      ],
      async (answers, { seller, buyer, id }) => {
        expect(statuses(answers)).toEqual([201, 201, 201, 201, 200]);
        const params = { adId: id, otherUserId: buyer.id };
        const thread = await seller.client.ok(getConversation, { params });
        expect(thread.map((message) => message.content).toSorted()).toEqual(['b0', 'b1', 'b2', 'b3']);
        const answersOfSeller = thread.map((message) =>
          seller.client.call(markMessageRead, { params: { id: message.id } }),
        );
        await Promise.all([
          ...answersOfSeller,
          buyer.client.ok(sendMessage, { body: { adId: id, receiverId: seller.id, content: 'one more' } }),
        ]);
        expect(await seller.client.ok(getUnreadCount)).toEqual({ unreadCount: 1 });
        const row = await app.db('conversations').where({ ad_id: id }).first();
        expect(row.message_count).toBe(5);
      },
    ));
});
