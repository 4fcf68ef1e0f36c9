import { beforeAll, describe, expect, test } from 'vitest';
import { createAd, deleteAd, setAdSold } from '../../../contract/ads.ts';
import { blockUser } from '../../../contract/blocks.ts';
import { followUser } from '../../../contract/follows.ts';
import { listNotifications } from '../../../contract/notifications.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { failAfter } from '../../../test/harness/database.ts';
import { adBody, insertCategories, insertUser, SETTLED } from '../../../test/harness/factories.ts';
import { inTransaction } from '../../db/transaction.ts';
import { jobHandlers } from '../../job-handlers.ts';
import { runDueJobs } from '../../jobs/worker.ts';
import { runFanOut } from '../notifications/fan-outs.ts';
import { announceAds, announcement, resumeAnnouncements } from './announcements.ts';

const { app, signIn } = await openTestApp();

beforeAll(() => insertCategories(app));

const createPerson = async () => {
  const user = await insertUser(app, SETTLED);
  return { ...user, client: await signIn(user.id) };
};
type Person = Awaited<ReturnType<typeof createPerson>>;
const follow = (by: Person, other: Person) => by.client.ok(followUser, { params: { userId: other.id } });
const post = (seller: Person, title: string) => seller.client.ok(createAd, { body: adBody({ title, price: '120' }) });
/** As the job does that finds new ads, without the jobs that follow. */
const announce = (...ads: { id: string; userId: string }[]) =>
  inTransaction(app.db, (trx) =>
    announceAds.onPublished(
      trx,
      ads.map(({ id, userId }) => ({ id, user_id: userId })),
      app,
    ),
  );
const runJobs = () => runDueJobs(app, jobHandlers);
const listNews = async (person: Person) =>
  (await person.client.ok(listNotifications)).filter(({ kind }) => kind === 'seller_new_ad');
/** Moves the end of the seller's last announcement, and what waits for it, an hour back. */
const passHour = async (seller: Person) => {
  await app.db.raw("update announcements set finished_at = finished_at - interval '1 hour' where seller_id = ?", [
    seller.id,
  ]);
  await app.db.raw(
    'select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where key = ?), run_at := now())',
    [`fan-out announcement ${seller.id}`],
  );
};

const meet = async () => {
  const [seller, fan] = [await createPerson(), await createPerson()];
  await follow(fan, seller);
  return { seller, fan };
};

test('a new ad notifies each follower once, and no one else', async () => {
  const { seller, fan } = await meet();
  const stranger = await createPerson();
  const ad = await post(seller, 'Oak table');
  for (let i = 0; i < 2; i++) await runJobs();
  expect(await listNews(fan)).toMatchObject([
    { title: `${seller.display_name} posted a new ad`, body: 'Oak table · $120', url: `/ads/${ad.id}`, isRead: false },
  ]);
  for (const person of [seller, stranger]) expect(await listNews(person)).toEqual([]);
  expect(await app.db('ads_to_announce').where({ seller_id: seller.id })).toEqual([]);
});

test('several ads at once are one notification', async () => {
  const { seller, fan } = await meet();
  for (const title of ['One', 'Two', 'Three', 'Four']) await post(seller, title);
  await runJobs();
  expect(await listNews(fan)).toMatchObject([
    {
      title: `${seller.display_name} posted 4 new ads`,
      body: 'One, Two, Three and 1 more',
      url: `/users/${seller.username}`,
    },
  ]);
});

test('the ads of the next hour are announced together at its end', async () => {
  const { seller, fan } = await meet();
  await post(seller, 'First');
  await runJobs();
  for (const title of ['Second', 'Third']) {
    await post(seller, title);
    await runJobs();
  }
  expect(await listNews(fan)).toHaveLength(1);
  await passHour(seller);
  await runJobs();
  expect((await listNews(fan)).map(({ body }) => body)).toEqual(['Second and Third', 'First · $120']);
});

describe('is not announced:', () => {
  test.each<[string, (ad: { id: string }, seller: Person) => Promise<unknown>]>([
    ['an ad that was deleted meanwhile', (ad, seller) => seller.client.ok(deleteAd, { params: { id: ad.id } })],
    ['an ad that was hidden meanwhile', (ad) => app.db('ads').where({ id: ad.id }).update({ state: 'inactive' })],
    [
      'an ad that was sold meanwhile',
      (ad, seller) => seller.client.ok(setAdSold, { params: { id: ad.id }, body: { isSold: true } }),
    ],
    [
      'an ad of a seller who was banned meanwhile',
      (_, seller) => app.db('users').where({ id: seller.id }).update({ banned_at: app.db.fn.now() }),
    ],
  ])('%s', async (_, change) => {
    const { seller, fan } = await meet();
    const ad = await post(seller, 'Gone');
    await announce(ad);
    await change(ad, seller);
    await runJobs();
    expect(await listNews(fan)).toEqual([]);
    expect(await app.db('ads_to_announce').where({ seller_id: seller.id })).toEqual([]);
  });
});

test('blocked, banned and deleted followers get none', async () => {
  const { seller, fan } = await meet();
  const [blocked, banned, suspended] = [await createPerson(), await createPerson(), await createPerson()];
  await seller.client.ok(blockUser, { params: { userId: blocked.id } });
  for (const person of [blocked, banned, suspended]) await follow(person, seller);
  await app.db('users').where({ id: banned.id }).update({ banned_at: app.db.fn.now() });
  await app.db('users').where({ id: suspended.id }).update({ suspended_until: '2999-01-01' });
  await post(seller, 'For friends');
  await runJobs();
  expect(await app.db('notifications').where({ source_user_id: seller.id }).pluck('user_id')).toEqual([fan.id]);
});

test('two runs at once, and one that was interrupted, reach each follower once', async () => {
  const { seller } = await meet();
  await app.db.raw(
    `with crowd as (
       insert into users (x_id, username, display_name)
       select (9000000 + n)::text, 'fan_' || n, 'Fan ' || n from generate_series(1, 1700) n returning id)
     insert into follows (follower_id, seller_id) select id, ? from crowd`,
    [seller.id],
  );
  const ad = await post(seller, 'For the crowd');
  await announce(ad);
  const receivers = () => app.db('notifications').where({ source_user_id: seller.id }).pluck<string[]>('user_id');
  // crashes after the beginning and two batches
  const failing = failAfter(app.db, 3);
  await expect(runFanOut({ db: failing }, announcement, seller.id)).rejects.toThrow('killed');
  expect(await receivers()).toHaveLength(1000);
  await Promise.all([1, 2, 3].map(() => runFanOut(app, announcement, seller.id)));
  expect(new Set(await receivers()).size).toBe(1701);
  expect(await receivers()).toHaveLength(1701);
});

test('an announcement continues after a restore, which brings no jobs', async () => {
  const { seller, fan } = await meet();
  await announce(await post(seller, 'Restored'));
  await app.db.raw('delete from graphile_worker._private_jobs');
  await inTransaction(app.db, resumeAnnouncements);
  await runJobs();
  expect(await listNews(fan)).toHaveLength(1);
});
