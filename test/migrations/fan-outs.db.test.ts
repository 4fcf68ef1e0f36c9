import { beforeAll, expect, test } from 'vitest';
import { down, up } from '../../migrations/20261125233000_fan_outs.ts';
import { sendNotice } from '../../server/features/notifications/notices.ts';
import { jobHandlers } from '../../server/job-handlers.ts';
import { runDueJobs } from '../../server/jobs/worker.ts';
import { operator } from '../../server/policy.ts';
import { openTestApp } from '../harness/app.ts';
import { insertCategories, insertUser, SETTLED } from '../harness/factories.ts';

const { app } = await openTestApp();
const { db } = app;

beforeAll(() => insertCategories(app));

/** An announcement, a price drop and a notice of the previous release, which it has delivered to the first of two people. */
const runFormerRelease = async () => {
  const seller = await insertUser(app, SETTLED);
  const [first, second] = [await insertUser(app, SETTLED), await insertUser(app, SETTLED)];
  const { id: category_id } = await db('categories').first('id');
  const values = { title: 'Lamp', description: 'Shines.', price: '50', state: 'active', is_approved: true };
  const [ad] = await db('ads').insert({ user_id: seller.id, category_id, ...values }, 'id');
  for (const { id } of [first, second]) {
    await db('follows').insert({ follower_id: id, seller_id: seller.id });
    await db('favorites').insert({ user_id: id, ad_id: ad.id });
  }
  const { id: notice } = await sendNotice(app, operator('test'), { title: 'Hello', body: 'All of you.' });
  const begun = { delivered_to: first.id, begun_at: db.raw('clock_timestamp()') };
  await db('ads_to_announce').insert({ ad_id: ad.id, seller_id: seller.id, is_begun: true });
  await db('announcements').insert({ seller_id: seller.id, ...begun });
  await db('price_drops').insert({ ad_id: ad.id, old_price: 100, dropped_at: db.fn.now(), ...begun });
  await db('notices').where({ id: notice }).update({ delivered_to: first.id });
  await db.raw('delete from graphile_worker._private_jobs');
  return { seller, first, second, ad, notice };
};

const KINDS = ['notice', 'price_drop', 'seller_new_ad'];
const listKinds = (userId: string): Promise<string[]> =>
  db('notifications').where({ user_id: userId }).whereIn('kind', KINDS).orderBy('kind').pluck('kind');

test('what the previous release runs during the migration continues where it stopped', async () => {
  await down(db);
  const { first, second } = await runFormerRelease();
  await up(db);
  expect(await db('fan_outs').orderBy('kind').pluck('delivered_to')).toEqual([first.id, first.id, first.id]);
  await runDueJobs(app, jobHandlers);
  expect([await listKinds(first.id), await listKinds(second.id)]).toEqual([[], KINDS]);
  expect(await db('fan_outs').pluck('kind')).toEqual([]);
});

test('what the previous release begins after the migration is taken over, and it stops', async () => {
  const { seller, first, second, ad, notice } = await runFormerRelease();
  await Promise.all([
    db.raw(`select graphile_worker.add_job('announce-new-ads', json_build_object('sellerId', ?::text))`, [seller.id]),
    db.raw(`select graphile_worker.add_job('notify-price-drop', json_build_object('adId', ?::text))`, [ad.id]),
    db.raw(`select graphile_worker.add_job('deliver-notice', json_build_object('noticeId', ?::text))`, [notice]),
  ]);
  await runDueJobs(app, jobHandlers);
  expect([await listKinds(first.id), await listKinds(second.id)]).toEqual([[], KINDS]);
  expect(await db('announcements').where({ seller_id: seller.id }).pluck('delivered_to')).toEqual([null]);
  expect(await db('price_drops').where({ ad_id: ad.id }).pluck('delivered_to')).toEqual([null]);
  expect(await db('notices').where({ id: notice }).whereNull('finished_at')).toEqual([]);
});

test('a rollback gives running fan-outs back to the previous release', async () => {
  const { seller, first, ad, notice } = await runFormerRelease();
  await down(db);
  await up(db);
  await down(db);
  expect(await db('announcements').where({ seller_id: seller.id }).pluck('delivered_to')).toEqual([first.id]);
  expect(await db('price_drops').where({ ad_id: ad.id }).pluck('delivered_to')).toEqual([first.id]);
  expect(await db('notices').where({ id: notice }).pluck('delivered_to')).toEqual([first.id]);
  expect(await db('graphile_worker.jobs').whereNot({ task_identifier: 'fan-out' }).pluck('task_identifier')).toEqual(
    expect.arrayContaining(['announce-new-ads', 'deliver-notice', 'notify-price-drop']),
  );
  await up(db);
});
