import { expect, test } from 'vitest';
import { getAdminStats } from '../../../contract/admin.ts';
import { createAd } from '../../../contract/ads.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { createViewCounter, getViewCounter } from '../ads/view-counter.ts';
import { getVisitCounter } from './visit-counter.ts';

const clock = { at: new Date('2026-11-20T10:00:00Z'), now: () => clock.at };
const { app, anonymous, signIn } = await openTestApp({ parts: { clock } });

const look = async (minute: number, userAgent: string, path = '/api/ads') => {
  clock.at = new Date(Date.UTC(2026, 10, 20, 10, minute));
  expect((await anonymous.send(path, { headers: { 'User-Agent': userAgent } })).status).toBe(200);
};

test('half an hour separates visits, last from first to last page, and bounce with one', async () => {
  await look(0, 'Mozilla one');
  await look(0, 'Mozilla one', '/api/ads?search=x'); // the same page's own call
  await look(4, 'Mozilla one');
  await getVisitCounter(app).flush();
  await look(8, 'Mozilla one');
  await getVisitCounter(app).flush();
  await look(50, 'Mozilla one');
  await look(52, 'Googlebot/2.1');
  await look(52, 'Mozilla three', '/api/categories');
  await getVisitCounter(app).flush();
  const visits = await app.db('visits').orderBy('started_at').select('started_at', 'last_at', 'pages');
  const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`;
  expect(visits).toEqual([
    { started_at: at(0), last_at: at(8), pages: 3 },
    { started_at: at(50), last_at: at(50), pages: 1 },
  ]);

  await app.db('visits').update({
    started_at: app.db.raw('started_at + (now() - ?::timestamptz)', [at(0)]),
    last_at: app.db.raw('last_at + (now() - ?::timestamptz)', [at(0)]),
  });
  const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
  expect(await admin.ok(getAdminStats)).toMatchObject({
    visits: 2,
    avgSessionDuration: '4m 0s',
    avgSessionSeconds: 240,
    bounceRate: 50,
  });
});

test('one address is one visitor and one viewer, whatever browsers it names, also from the cache', async () => {
  await insertCategories(app);
  const seller = await signIn((await insertUser(app)).id);
  const { id } = await seller.ok(createAd, { body: adBody() });
  const before = await app.db('visits').count('* as n').first();
  for (let n = 0; n < 60; n++) await look(14_400, `Mozilla/5.0 (${n})`, `/api/ads/${id}`);
  await Promise.all([getVisitCounter(app).flush(), getViewCounter(app).flush()]);
  expect(await app.db('ad_view_seen').where({ ad_id: id })).toHaveLength(1);
  expect(await app.db('ad_views').where({ ad_id: id }).first('views')).toEqual({ views: '1' });
  expect(Number((await app.db('visits').count('* as n').first())!.n) - Number(before!.n)).toBe(1);
});

test('one address adds a bounded number of views a day, even of different ads', async () => {
  const seller = await insertUser(app);
  const counter = createViewCounter(app.db, app.log, 'secret', clock.now, 'UTC');
  const viewer = { ip: '2001:db8::1', userAgent: 'Mozilla', isPrefetch: false };
  for (let n = 0; n < LIMITS.viewsPerDay + 50; n++) {
    const ip = `2001:db8::${n.toString(16)}`;
    counter.count({ kind: 'anonymous' }, { id: String(1_000_000 + n), user_id: seller.id }, { ...viewer, ip });
  }
  await counter.flush();
  expect(await app.db('ad_view_seen').where('ad_id', '>=', 1_000_000)).toHaveLength(LIMITS.viewsPerDay);
});

test('nothing that names a person is stored', async () => {
  const [row] = await app.db('visits');
  expect(Object.keys(row).toSorted()).toEqual(['day', 'id', 'last_at', 'pages', 'started_at', 'visitor']);
  expect(row.visitor).toHaveLength(16);
});
