import { beforeAll, describe, expect, test } from 'vitest';
import { banUser, deleteUser } from '../../../contract/admin.ts';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import { streamMessages } from '../../../contract/messages.ts';
import * as api from '../../../contract/notifications.ts';
import { exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { openEventSource } from '../../../test/harness/event-source.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { insertWorded, type WordedNotification } from '../../../test/harness/notifications.ts';
import { inTransaction } from '../../db/transaction.ts';
import { cleanUp } from '../../job-handlers.ts';

const { app, url, signIn, createPerson } = await openTestApp();
beforeAll(() => insertCategories(app));

const notify = (...notifications: (Partial<WordedNotification> & { userId: string })[]) =>
  inTransaction(app.db, (trx) =>
    insertWorded(
      trx,
      notifications.map((one) => ({ kind: 'report_outcome', title: 'We removed the ad you reported.', ...one })),
    ),
  );
const readCount = async ({ client }: Awaited<ReturnType<typeof createPerson>>) =>
  (await client.ok(api.getUnreadNotificationCount)).unreadCount;

test('lists the notifications of the caller, newest first, in pages', async () => {
  const [anna, ben] = [await createPerson(), await createPerson()];
  for (const n of [1, 2, 3]) await notify({ userId: anna.id, title: `Number ${n}`, body: 'More', url: '/dashboard' });
  await notify({ userId: ben.id, title: 'For Ben' });
  const first = await anna.client.call(api.listNotifications, { query: { limit: '2' } });
  expect(first.body).toMatchObject([
    { kind: 'report_outcome', title: 'Number 3', body: 'More', url: '/dashboard', isRead: false },
    { title: 'Number 2' },
  ]);
  const cursor = /cursor=(\d+)/.exec(first.headers.get('link') ?? '')?.[1];
  const second = await anna.client.call(api.listNotifications, { query: { limit: '2', cursor } });
  expect(second.body).toMatchObject([{ title: 'Number 1' }]);
  expect(second.headers.get('link')).toBeNull();
});

test('counts what is unread, and marks one or all up to one as read', async () => {
  const [anna, ben] = [await createPerson(), await createPerson()];
  await notify({ userId: anna.id }, { userId: anna.id }, { userId: anna.id }, { userId: ben.id });
  const [newest, middle] = await anna.client.ok(api.listNotifications);
  expect(await readCount(anna)).toBe(3);
  for (const _ of 'twice!')
    expect(await anna.client.ok(api.markNotificationRead, { params: { id: newest!.id } })).toEqual({
      id: newest!.id,
      isRead: true,
    });
  expect(await readCount(anna)).toBe(2);
  expect(await anna.client.ok(api.markAllNotificationsRead, { body: { upTo: middle!.id } })).toEqual({
    unreadCount: 0,
  });
  await notify({ userId: anna.id });
  // the new one was not seen
  expect(await anna.client.ok(api.markAllNotificationsRead, { body: { upTo: newest!.id } })).toEqual({
    unreadCount: 1,
  });
  expect(await readCount(ben)).toBe(1);
});

test("another user's notification does not exist", async () => {
  const [anna, ben] = [await createPerson(), await createPerson()];
  await notify({ userId: anna.id });
  const [{ id }] = (await anna.client.ok(api.listNotifications)) as [api.Notification];
  expect((await ben.client.call(api.markNotificationRead, { params: { id } })).status).toBe(404);
  await ben.client.ok(api.markAllNotificationsRead, { body: { upTo: id } });
  expect(await readCount(anna)).toBe(1);
});

test('the open event stream sends the unread count whenever it changes', async () => {
  const [anna, ben] = [await createPerson(), await createPerson()];
  await notify({ userId: anna.id });
  const stream = await openEventSource(url + streamMessages.path, anna.client.headers);
  const counts = () => stream.of('notifications').map((data) => (data as { unreadCount: number }).unreadCount);
  await expect.poll(counts).toEqual([1]);
  await notify({ userId: ben.id });
  await notify({ userId: anna.id });
  await expect.poll(counts).toEqual([1, 2]);
  await notify({ userId: anna.id }, { userId: ben.id });
  await expect.poll(() => counts().at(-1)).toBe(3);
  const [newest] = await anna.client.ok(api.listNotifications);
  await anna.client.ok(api.markNotificationRead, { params: { id: newest!.id } });
  await expect.poll(() => counts().at(-1)).toBe(2);
  await anna.client.ok(api.markAllNotificationsRead, { body: { upTo: newest!.id } });
  await expect.poll(() => counts().at(-1)).toBe(0);
  await stream.close();
});

test.each(['receiver', 'source'])('a block by the %s suppresses the notification', async (blocker) => {
  const [anna, ben] = [await createPerson(), await createPerson()];
  const [from, to] = blocker === 'receiver' ? [anna, ben] : [ben, anna];
  await app.db('blocks').insert({ blocker_id: from.id, blocked_id: to.id });
  await notify({ userId: anna.id, sourceUserId: ben.id }, { userId: anna.id, title: 'From the marketplace' });
  expect(await anna.client.ok(api.listNotifications)).toMatchObject([{ title: 'From the marketplace' }]);
});

test('a transaction that fails notifies no one', async () => {
  const anna = await createPerson();
  const failing = inTransaction(app.db, async (trx) => {
    await insertWorded(trx, [{ userId: anna.id, kind: 'decision', title: 'Never' }]);
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await readCount(anna)).toBe(0);
});

test('housekeeping deletes notifications after 90 days', async () => {
  const anna = await createPerson();
  await notify({ userId: anna.id, title: 'Old' }, { userId: anna.id, title: 'New' });
  for (const [title, days] of [
    ['Old', 91],
    ['New', 89],
  ] as const)
    await app
      .db('notifications')
      .where({ user_id: anna.id, title })
      .update({ created_at: app.db.raw("now() - ? * interval '1 day'", [days]) });
  await cleanUp(app);
  expect(await anna.client.ok(api.listNotifications)).toMatchObject([{ title: 'New' }]);
});

test('notifications are exported, and deleted with the account', async () => {
  const anna = await createPerson();
  const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
  await notify({ userId: anna.id, title: 'To be exported', url: '/ads/1' });
  await admin.ok(api.sendNotice, { body: { userId: anna.id, title: 'Personal', body: 'For Anna only.' } });
  const data = (await anna.client.ok(exportMyData)) as { notifications: object[] };
  expect(data.notifications).toMatchObject([
    { kind: 'report_outcome', title: 'To be exported', url: '/ads/1', isRead: false },
    { kind: 'notice', title: 'Personal', body: 'For Anna only.' },
  ]);
  await admin.ok(deleteUser, { params: { id: anna.id } });
  await notify({ userId: anna.id, title: 'Too late' });
  expect(await app.db('notifications').where({ user_id: anna.id })).toEqual([]);
  expect(await app.db('notices').where({ receiver_id: anna.id })).toEqual([]);
});

describe('while a seller is banned or suspended', () => {
  const setUp = async () => {
    const [seller, fan] = [await createPerson(), await createPerson()];
    const ad = await seller.client.ok(createAd, { body: adBody() });
    const [byUrl, bySource] = [{ userId: fan.id, url: `/ads/${ad.id}` }, { sourceUserId: seller.id }];
    await notify(
      { ...byUrl, ...bySource, kind: 'seller_new_ad', title: 'New ad' },
      { ...byUrl, ...bySource, kind: 'price_drop', title: 'Lower price' },
      { ...byUrl, ...bySource, kind: 'search_match', title: 'Match' },
      { ...byUrl, ...bySource, kind: 'deal', title: 'Sold' },
      { userId: fan.id, ...bySource, kind: 'rating', title: 'Rated', url: `/users/${seller.username}#ratings` },
      { userId: fan.id, ...bySource, kind: 'offer', title: 'Offer', url: `/messages/${ad.id}/${seller.id}` },
    );
    const list = async () =>
      (await fan.client.ok(api.listNotifications)).map(({ title, url }) => [title, url !== null]).toReversed();
    return { seller, fan, ad, list };
  };
  const ALL = ['New ad', 'Lower price', 'Match', 'Sold', 'Rated', 'Offer'].map((title) => [title, true]);
  const ENDS = {
    ban: { banned_at: new Date().toISOString() },
    suspension: { suspended_until: new Date(Date.now() + 3_600_000).toISOString() },
  };

  test.each(Object.entries(ENDS))(
    'by a %s, notifications of the ads disappear, and those of deals stay',
    async (_, columns) => {
      const { seller, fan, list } = await setUp();
      expect(await list()).toEqual(ALL);
      expect(await readCount(fan)).toBe(6);
      await app.db('users').where({ id: seller.id }).update(columns);
      expect(await list()).toEqual([
        ['Sold', false],
        ['Rated', false],
        ['Offer', true],
      ]);
      expect(await readCount(fan)).toBe(3);
      await app.db('users').where({ id: seller.id }).update({ banned_at: null, suspended_until: null });
      expect(await list()).toEqual(ALL);
      expect(await readCount(fan)).toBe(6);
    },
  );

  test('open pages show the new count', async () => {
    const { seller, fan } = await setUp();
    const stream = await openEventSource(url + streamMessages.path, fan.client.headers);
    const counts = () => stream.of('notifications').map((data) => (data as { unreadCount: number }).unreadCount);
    // again, if an event of the setup arrives after the stream has opened
    await expect.poll(() => [...new Set(counts())]).toEqual([6]);
    const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
    await admin.ok(banUser, { params: { id: seller.id }, body: {} });
    await expect.poll(() => counts().at(-1)).toBe(3);
    await stream.close();
  });

  test('and after the ad was deleted, the text stays without a link', async () => {
    const { seller, ad, list } = await setUp();
    await seller.client.ok(deleteAd, { params: { id: ad.id } });
    expect(await list()).toEqual(ALL.map(([title]) => [title, title === 'Rated' || title === 'Offer']));
  });
});
