import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Settings } from '../../../../contract/admin.ts';
import { createAd, deleteAd, getAd, renewAd, setAdSold } from '../../../../contract/ads.ts';
import { listNotifications } from '../../../../contract/notifications.ts';
import { openTestApp } from '../../../../test/harness/app.ts';
import type { Client } from '../../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../../test/harness/factories.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { cleanUp } from '../../../job-handlers.ts';
import { DEFAULT_SETTINGS, writeSettings } from '../../settings/repository.ts';
import { findPage } from '../search/repository.ts';
import { askAboutExpiry, expireAds } from './jobs.ts';

const { app, signIn } = await openTestApp();
const DAY = 86_400_000;

beforeAll(() => insertCategories(app));

let seller: { id: string; client: Client };
beforeEach(async () => {
  const { id } = await insertUser(app);
  seller = { id, client: await signIn(id) };
});

const set = (change: Partial<Settings>) =>
  inTransaction(app.db, (trx) => writeSettings(trx, { ...DEFAULT_SETTINGS, ...change }, null));
const post = async (title: string) => (await seller.client.ok(createAd, { body: adBody({ title }) })).id;
/** Moves the end of the ad, which stays listed until the job runs. */
const endIn = async (id: string, days: number) => {
  await app.db.raw('alter table ads disable trigger user');
  const expires_at = app.db.raw("now() + ? * interval '1 day'", [days]);
  await app.db('ads').where({ id }).update({ expires_at });
  await app.db.raw('alter table ads enable trigger user');
};
const listReceived = async (kind: string) =>
  (await seller.client.ok(listNotifications)).filter((notification) => notification.kind === kind);
const renew = (id: string) => seller.client.call(renewAd, { params: { id } });
const daysLeft = (iso: string | null | undefined) => (Date.parse(iso!) - Date.now()) / DAY;

describe('the question whether an ad is still available', () => {
  test('comes once, three days before the end, and leads to the page of the ad’s owner', async () => {
    const [soon, later] = [await post('Soon'), await post('Later')];
    await endIn(soon, 2.99);
    await endIn(later, 3.01);
    await askAboutExpiry(app);
    await askAboutExpiry(app);
    const { expiresAt } = await seller.client.ok(getAd, { params: { id: soon } });
    const day = new Date(expiresAt!).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    expect(await listReceived('ad_expiring')).toMatchObject([
      {
        title: 'Is this still available?',
        body: `Soon\nThis ad expires on ${day}.`,
        url: `/still-available?ad=${soon}&ends=${encodeURIComponent(expiresAt!)}`,
        isRead: false,
      },
    ]);
    await endIn(later, 2.9);
    await askAboutExpiry(app);
    expect(await listReceived('ad_expiring')).toHaveLength(2);
  });

  test('comes once when several replicas ask at once', async () => {
    await endIn(await post('Contested'), 1);
    await Promise.all(Array.from({ length: 5 }, () => askAboutExpiry(app)));
    expect(await listReceived('ad_expiring')).toHaveLength(1);
  });

  test('comes at once where ads last three days or less, and again for each new end', async () => {
    await set({ maxAdDurationDays: 2 });
    const id = await post('Brief');
    await askAboutExpiry(app);
    expect(await listReceived('ad_expiring')).toHaveLength(1);
    await set({});
    expect((await renew(id)).status).toBe(200);
    await askAboutExpiry(app);
    await endIn(id, 1);
    await askAboutExpiry(app);
    expect(await listReceived('ad_expiring')).toHaveLength(2);
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['sold', (id) => seller.client.ok(setAdSold, { params: { id }, body: { isSold: true } })],
    ['waits for review', (id) => app.db('ads').where({ id }).update({ state: 'pending' })],
    ['was taken down', (id) => app.db('ads').where({ id }).update({ state: 'inactive', taken_down: true })],
    ['was deleted', (id) => seller.client.ok(deleteAd, { params: { id } })],
    ['has no end', (id) => app.db('ads').where({ id }).update({ expires_at: null })],
    ['is over', (id) => endIn(id, -0.01)],
    ['is of a banned seller', () => app.db('users').where({ id: seller.id }).update({ banned_at: new Date() })],
    [
      'is of a suspended seller',
      () =>
        app
          .db('users')
          .where({ id: seller.id })
          .update({ suspended_until: new Date(Date.now() + DAY) }),
    ],
  ])('does not come for an ad that %s', async (_, change) => {
    const id = await post('Quiet');
    await endIn(id, 2);
    await change(id);
    await askAboutExpiry(app);
    expect(await app.db('notifications').where({ user_id: seller.id })).toEqual([]);
  });

  test('comes after the sale was undone', async () => {
    const id = await post('Unsold');
    await endIn(id, 2);
    const setSold = (isSold: boolean) => seller.client.ok(setAdSold, { params: { id }, body: { isSold } });
    await setSold(true);
    await askAboutExpiry(app);
    await setSold(false);
    await askAboutExpiry(app);
    expect(await listReceived('ad_expiring')).toHaveLength(1);
  });

  test('comes for each of a thousand ads, also past those of sellers who cannot be asked', async () => {
    const { id: banned } = await insertUser(app, { banned_at: new Date().toISOString() });
    const insert = (user_id: string) =>
      app.db.raw(
        `insert into ads (user_id, category_id, title, description, price, expires_at)
         select ?, (select min(id) from categories), 'Many ' || n, 'Text', 1, now() + interval '1 day' + n * interval '1 second'
         from generate_series(1, 600) n`,
        [user_id],
      );
    await insert(banned);
    await insert(seller.id);
    await askAboutExpiry(app);
    const { rows } = await app.db.raw(
      `select user_id, count(*)::int, count(distinct url)::int as ads from notifications
       where kind = 'ad_expiring' and user_id = any(?) group by user_id`,
      [[banned, seller.id]],
    );
    expect(rows).toEqual([{ user_id: seller.id, count: 600, ads: 600 }]);
    await app.db('ads').whereIn('user_id', [banned, seller.id]).update({ expires_at: null });
  });

  test('is read once the ad is renewed, sold or deleted', async () => {
    const ids = [await post('One'), await post('Two'), await post('Three'), await post('Four')];
    for (const id of ids) await endIn(id, 2);
    await askAboutExpiry(app);
    await seller.client.ok(renewAd, { params: { id: ids[0]! } });
    await seller.client.ok(setAdSold, { params: { id: ids[1]! }, body: { isSold: true } });
    await seller.client.ok(deleteAd, { params: { id: ids[2]! } });
    const unread = (await listReceived('ad_expiring')).filter(({ isRead }) => !isRead);
    expect(unread.map(({ body }) => body.split('\n')[0])).toEqual(['Four']);
  });
});

describe('a renewal', () => {
  test('is possible from three days before the end on, and lasts the full time from then', async () => {
    const [first, id] = [await post('First'), await post('Second')];
    const newest = await post('Newest');
    await endIn(id, 3.01);
    const refused = await renew(id);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'An ad can be renewed from 3 days before it expires.',
    ]);
    await endIn(id, 2.99);
    const { body } = await renew(id);
    expect(daysLeft(body.expiresAt)).toBeCloseTo(DEFAULT_SETTINGS.maxAdDurationDays, 2);
    expect((await renew(id)).status).toBe(409);
    // it keeps its place
    expect((await findPage(app.db, {}, { limit: 3 })).ids).toEqual([newest, id, first]);
  });

  test('of two at once is one', async () => {
    const id = await post('Twice');
    await endIn(id, 1);
    const responses = await Promise.all([renew(id), renew(id), renew(id)]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test('ends the end where ads do not expire any more', async () => {
    const id = await post('Forever');
    await endIn(id, 1);
    await set({ maxAdDurationDays: 0 });
    expect((await renew(id)).body.expiresAt).toBeNull();
    await set({});
    expect((await renew(id)).body.message).toBe('This ad does not expire.');
  });

  test.each<[string, string, (id: string) => Promise<unknown>]>([
    [
      'sold',
      'This ad is marked as sold.',
      (id) => seller.client.ok(setAdSold, { params: { id }, body: { isSold: true } }),
    ],
    [
      'taken down',
      'This ad is not public, so it cannot be renewed.',
      (id) => app.db('ads').where({ id }).update({ state: 'inactive', taken_down: true }),
    ],
  ])('is refused for an ad that is %s', async (_, message, change) => {
    const id = await post('Refused');
    await endIn(id, 1);
    await change(id);
    const response = await renew(id);
    expect([response.status, response.body.message]).toEqual([409, message]);
  });
});

test('the seller of an expired ad is notified once, in the transaction that expires it', async () => {
  const [ended, sold] = [await post('Ended'), await post('Sold')];
  await seller.client.ok(setAdSold, { params: { id: sold }, body: { isSold: true } });
  await app.db.raw('alter table ads disable trigger user');
  await app.db('ads').where({ id: sold }).update({ sold_listed_until: '2020-01-01' });
  await app.db.raw('alter table ads enable trigger user');
  await endIn(ended, -0.01);
  await Promise.all([expireAds(app), expireAds(app)]);
  expect(await app.db('ads').whereIn('id', [ended, sold]).orderBy('id').pluck('listed')).toEqual([false, false]);
  expect(await listReceived('ad_expired')).toMatchObject([
    { title: 'Your ad has expired', body: 'Ended', url: expect.stringContaining(`/still-available?ad=${ended}&ends=`) },
  ]);
  await seller.client.ok(renewAd, { params: { id: ended } });
  expect(await listReceived('ad_expired')).toMatchObject([{ isRead: true }]);
});

test('the job skips an ad whose seller is being changed, and the next run finds it', async () => {
  const id = await post('Locked');
  await endIn(id, -0.01);
  await app.db.transaction(async (trx) => {
    await trx('users').where({ id: seller.id }).forUpdate();
    await expireAds(app);
    expect(await app.db('ads').where({ id }).first('state')).toEqual({ state: 'active' });
  });
  await expireAds(app);
  expect(await app.db('ads').where({ id }).first('state')).toEqual({ state: 'expired' });
  expect(await listReceived('ad_expired')).toHaveLength(1);
});

test('questions are forgotten a month after the end', async () => {
  const id = await post('Old');
  const ago = (days: number) => new Date(Date.now() - days * DAY);
  await app.db('expiry_questions').insert([
    { ad_id: id, expires_at: ago(29) },
    { ad_id: id, expires_at: ago(31) },
  ]);
  await cleanUp(app);
  expect(await app.db('expiry_questions').where({ ad_id: id })).toHaveLength(1);
});
