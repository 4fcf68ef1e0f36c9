import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAd, deleteAd } from '../../../contract/ads.ts';
import { FIGURES, type FigureName, getAnalytics, getViewsByDay } from '../../../contract/analytics.ts';
import { sendMessage } from '../../../contract/messages.ts';
import { exportMyData } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { cleanUp } from '../../job-handlers.ts';
import { ANONYMOUS } from '../../policy.ts';
import { getViewCounter } from '../ads/view-counter.ts';
import { countDailyFigures } from './figures.ts';
import { storeFigures } from './figures-repository.ts';

const DAY = 86_400_000;
const TWO_YEARS = 730;
const NEVER = new AbortController().signal;
const timeZone = 'Europe/Berlin';
// Berlin's clocks go back on 2026-10-25: that day has 25 hours.
const NOW = '2026-10-27T12:00:00Z';
const clock = { at: new Date(NOW), now: () => clock.at };
const { app, signIn } = await openTestApp({ env: { TZ: timeZone }, parts: { clock } });
const { db } = app;

const person = (created_at: string) => insertUser(app, { created_at });
const count = (signal = NEVER) => countDailyFigures(app, signal);
const stored = (kind: FigureName) =>
  db('daily_figures').where({ kind }).orderBy('day').select(db.raw("to_char(day, 'YYYY-MM-DD') as day"), 'value');

let moderator: Awaited<ReturnType<typeof signIn>>;
const read = async (days?: '30' | '365') => (await moderator.ok(getAnalytics, { query: { days } })).figures;
const valuesOf = async (kind: FigureName, days?: '30' | '365') =>
  Object.fromEntries((await read(days))[kind].days.filter(({ value }) => value > 0).map((d) => [d.day, d.value]));

beforeAll(async () => {
  await insertCategories(app);
  // signed up before the figures begin
  moderator = await signIn((await insertUser(app, { role: 'moderator', created_at: '2020-01-01T00:00:00Z' })).id);
});

beforeEach(async () => {
  clock.at = new Date(NOW);
  await db.raw('delete from ad_view_days; delete from ad_views; delete from ads; delete from visits');
  await db.raw("delete from users where role = 'user'; delete from daily_figures; delete from ad_view_seen");
});

describe('daily figures', () => {
  test('a day is one of the time zone, also when the clocks change', async () => {
    await person('2026-10-24T21:59:59Z');
    for (const at of ['2026-10-24T22:00:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T22:59:59Z'])
      await person(at);
    await person('2026-10-25T23:00:00Z');
    await count();
    expect(await valuesOf('signups')).toEqual({ '2026-10-24': 1, '2026-10-25': 4, '2026-10-26': 1 });
  });

  test('a period ends today, has no gaps, and is compared with the one before', async () => {
    await person('2026-10-27T11:00:00Z');
    await person('2026-09-28T10:00:00Z');
    await person('2026-09-27T10:00:00Z');
    await count();
    for (const [days, total, previousTotal] of [
      ['30', 2, 1],
      ['365', 3, 0],
    ] as const) {
      const { signups } = await read(days);
      expect([signups.total, signups.previousTotal]).toEqual([total, previousTotal]);
      expect(signups.days).toHaveLength(Number(days));
      const dates = signups.days.map(({ day }) => Date.parse(day));
      expect(dates.at(-1)).toBe(Date.parse('2026-10-27'));
      expect(dates.slice(1).every((date, i) => date - dates[i]! === DAY)).toBe(true);
    }
    expect(Object.keys(await read()).sort()).toEqual([...FIGURES].sort());
  });

  test('before the first count there are zeros, no time and nothing to compare with', async () => {
    const analytics = await moderator.ok(getAnalytics);
    expect(analytics).toMatchObject({ countedAt: null, timeZone });
    expect(analytics.figures.ads).toMatchObject({ total: 0, previousTotal: null });
    expect(analytics.figures.ads.days).toHaveLength(30);
    await count();
    expect(await moderator.ok(getAnalytics)).toMatchObject({ countedAt: NOW });
  });

  test('ads, sales with their sum, messages, visits and reports are counted where they happened', async () => {
    const [seller, buyer] = [await person('2024-01-01T00:00:00Z'), await person('2024-01-01T00:00:00Z')];
    const [{ id: category_id }] = await db('categories').limit(1).select('id');
    const ad = { user_id: seller.id, category_id, title: 'T', description: 'D', created_at: '2026-10-20T10:00:00Z' };
    const sold = { is_sold: true, sold_at: '2026-10-21T10:00:00Z' };
    const [{ id }] = await db('ads')
      .insert([
        { ...ad, price: '10.10', ...sold },
        { ...ad, price: '0.25', ...sold },
        { ...ad, price: '7' },
      ])
      .returning('id');
    const [conversation] = await db('conversations')
      .insert({ ad_id: id, seller_id: seller.id, buyer_id: buyer.id })
      .returning('id');
    await db('messages').insert({
      conversation_id: conversation.id,
      ad_id: id,
      sender_id: buyer.id,
      receiver_id: seller.id,
      content: 'Hello',
      created_at: '2026-10-22T10:00:00Z',
    });
    await db('visits').insert({ day: '2026-10-23', visitor: Buffer.alloc(16), started_at: '2026-10-22T22:30:00Z' });
    const [opened] = await db('moderation_cases')
      .insert({ target_type: 'ad', target_id: id, person_id: seller.id, reported: {} })
      .returning('id');
    const report = { case_id: opened.id, reporter_id: buyer.id, reason: 'scam', weight: 1 };
    await db('reports').insert({ ...report, created_at: '2026-10-24T10:00:00Z' });
    await count();
    expect(await valuesOf('ads')).toEqual({ '2026-10-20': 3 });
    expect(await valuesOf('sold')).toEqual({ '2026-10-21': 2 });
    expect(await valuesOf('revenue')).toEqual({ '2026-10-21': 10.35 });
    expect(await valuesOf('messages')).toEqual({ '2026-10-22': 1 });
    expect(await valuesOf('visits')).toEqual({ '2026-10-23': 1 });
    expect(await valuesOf('reports')).toEqual({ '2026-10-24': 1 });
    expect((await read()).revenue.total).toBe(10.35);
    await db.raw('delete from reports; delete from moderation_cases; delete from messages; delete from conversations');
  });

  test('the first run counts two years; later runs count today and yesterday, and keep the days before', async () => {
    await person('2026-10-20T10:00:00Z');
    await count();
    expect(await stored('signups')).toHaveLength(TWO_YEARS);
    await db.raw("delete from users where role = 'user'");
    await person('2026-10-26T10:00:00Z');
    await person('2026-10-20T12:00:00Z');
    await person('2026-10-20T12:00:00Z');
    await count();
    expect(await valuesOf('signups')).toEqual({ '2026-10-20': 1, '2026-10-26': 1 });
    await count();
    expect(await valuesOf('signups')).toEqual({ '2026-10-20': 1, '2026-10-26': 1 });
    expect(await stored('signups')).toHaveLength(TWO_YEARS);
  });

  test('days that passed while no worker ran are counted later, the interrupted one again', async () => {
    await count();
    await person('2026-10-27T20:00:00Z');
    await person('2026-10-29T20:00:00Z');
    clock.at = new Date('2026-11-03T12:00:00Z');
    await count();
    expect(await valuesOf('signups')).toEqual({ '2026-10-27': 1, '2026-10-29': 1 });
  });

  test('a final number stays when a figure of the same day is counted for the first time', async () => {
    await person('2026-10-20T12:00:00Z');
    await count();
    await db('users').where({ role: 'user' }).delete();
    await db('daily_figures').where({ kind: 'reports' }).delete();
    await count();
    expect(await stored('reports')).toHaveLength(TWO_YEARS);
    expect(await valuesOf('signups')).toEqual({ '2026-10-20': 1 });
  });

  test('visits older than their rows are not counted as none: they are unknown', async () => {
    const started_at = '2026-08-15T10:00:00Z';
    await db('visits').insert({ day: '2026-08-15', visitor: Buffer.alloc(16), started_at });
    await count();
    const [first] = await stored('visits');
    // 90 days before noon of October 27 is noon of July 29, whose morning is gone
    expect(first.day).toBe('2026-07-30');
    await db('visits').delete();
    await count();
    expect(await valuesOf('visits', '365')).toEqual({ '2026-08-15': 1 });
    expect((await read()).visits.previousTotal).toBe(0);
    expect((await read('365')).visits.previousTotal).toBe(null);
  });

  test('two workers at once store each day once, and a late count does not replace a newer one', async () => {
    await person('2026-10-27T10:00:00Z');
    await Promise.all([count(), count(), count()]);
    const rows = await stored('signups');
    expect(rows).toHaveLength(TWO_YEARS);
    expect(rows.at(-1)).toMatchObject({ day: '2026-10-27', value: '1' });
    await person('2026-10-27T11:00:00Z');
    await storeFigures(db, ['2026-10-27'], { now: '2026-10-27T11:59:59Z', timeZone });
    expect(await valuesOf('signups')).toEqual({ '2026-10-27': 1 });
    await storeFigures(db, ['2026-10-27'], { now: '2026-10-27T12:00:01Z', timeZone });
    expect(await valuesOf('signups')).toEqual({ '2026-10-27': 2 });
  });

  test('a run that is stopped keeps what it has counted, and the next run counts the rest', async () => {
    let looks = 0;
    const stopsAfterTwoMonths = {
      get aborted() {
        looks += 1;
        return looks > 2;
      },
    } as AbortSignal;
    await count(stopsAfterTwoMonths);
    // October up to today, and September
    expect(await stored('ads')).toHaveLength(27 + 30);
    await count();
    expect(await stored('ads')).toHaveLength(TWO_YEARS);
  });
});

describe('views by day', () => {
  const viewer = { ip: '203.0.113.5', userAgent: 'Mozilla', isPrefetch: false };

  async function insertViewedAd(...times: string[]) {
    const owner = await person('2024-01-01T00:00:00Z');
    const client = await signIn(owner.id);
    const ad = await client.ok(createAd, { body: adBody() });
    for (const time of times) {
      clock.at = new Date(time);
      getViewCounter(app).count(ANONYMOUS, { id: ad.id, user_id: owner.id }, viewer);
    }
    clock.at = new Date(NOW);
    await getViewCounter(app).flush();
    return { ad, client };
  }

  test('a viewer counts once a day of the time zone, in the total and on that day', async () => {
    const { ad, client } = await insertViewedAd('2026-10-25T22:00:00Z', '2026-10-25T22:59:00Z', '2026-10-25T23:01:00Z');
    getViewCounter(app).count(ANONYMOUS, { id: ad.id, user_id: ad.userId }, { ...viewer, ip: '203.0.113.6' });
    await getViewCounter(app).flush();
    const buyer = await signIn((await insertUser(app)).id);
    await buyer.ok(sendMessage, { body: { adId: ad.id, receiverId: ad.userId, content: 'Is it blue?' } });
    await buyer.ok(sendMessage, { body: { adId: ad.id, receiverId: ad.userId, content: 'Or green?' } });
    const { days, total, wrote } = await client.ok(getViewsByDay, { params: { id: ad.id } });
    expect(wrote).toBe(1);
    await db.raw('truncate conversations cascade');
    expect(days.slice(-3)).toEqual([
      { day: '2026-10-25', value: 1 },
      { day: '2026-10-26', value: 1 },
      { day: '2026-10-27', value: 1 },
    ]);
    expect([total, days.length]).toEqual([3, 30]);
    expect(await db('ad_views').where({ ad_id: ad.id }).first()).toMatchObject({ views: '3' });
    const year = await client.ok(getViewsByDay, { params: { id: ad.id }, query: { days: '365' } });
    expect([year.total, year.days.length]).toEqual([3, 365]);
  });

  test('only the owner and staff see them', async () => {
    const { ad } = await insertViewedAd('2026-10-25T22:00:00Z');
    const path = `/api/ads/${ad.id}/views-by-day`;
    expect((await moderator.send(path)).status).toBe(200);
    expect((await (await signIn((await insertUser(app)).id)).send(path)).status).toBe(404);
    expect((await moderator.send(`${path}?days=31`)).status).toBe(400);
  });

  test('they are in the export, and are deleted with the ad', async () => {
    const { ad, client } = await insertViewedAd('2026-10-25T22:00:00Z', '2026-10-26T22:00:00Z');
    expect((await client.call(exportMyData)).body.viewsByDay).toEqual([
      { adId: ad.id, day: '2026-10-25', views: 1 },
      { adId: ad.id, day: '2026-10-26', views: 1 },
    ]);
    await client.call(deleteAd, { params: { id: ad.id } });
    expect(await db('ad_view_days')).toEqual([]);
    expect((await client.send(`/api/ads/${ad.id}/views-by-day`)).status).toBe(404);
  });

  test('housekeeping deletes those that no period shows', async () => {
    const { ad } = await insertViewedAd();
    await db('ad_view_days').insert(
      [366, 367].map((back) => ({ ad_id: ad.id, day: db.raw('current_date - ?::int', [back]), views: 1 })),
    );
    await cleanUp(app);
    const days = await db('ad_view_days').select(db.raw('(current_date - day)::int as back'));
    expect(days).toEqual([{ back: 366 }]);
  });
});
