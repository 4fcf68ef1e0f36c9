import { expect, test } from 'vitest';
import { getAdminStats } from '../../../contract/admin.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { insertUser } from '../../../test/harness/factories.ts';

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
  await app.visits.flush();
  await look(8, 'Mozilla one');
  await app.visits.flush();
  await look(50, 'Mozilla one');
  await look(51, 'Mozilla two');
  await look(52, 'Googlebot/2.1');
  await look(52, 'Mozilla three', '/api/categories');
  await app.visits.flush();
  const visits = await app.db('visits').orderBy('started_at').select('started_at', 'last_at', 'pages');
  const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00Z`;
  expect(visits).toEqual([
    { started_at: at(0), last_at: at(8), pages: 3 },
    { started_at: at(50), last_at: at(50), pages: 1 },
    { started_at: at(51), last_at: at(51), pages: 1 },
  ]);

  await app.db('visits').update({
    started_at: app.db.raw('started_at + (now() - ?::timestamptz)', [at(0)]),
    last_at: app.db.raw('last_at + (now() - ?::timestamptz)', [at(0)]),
  });
  const admin = await signIn((await insertUser(app, { role: 'admin' })).id);
  expect(await admin.ok(getAdminStats)).toMatchObject({ avgSessionDuration: '2m 40s', bounceRate: 66.7 });
});

test('nothing that names a person is stored', async () => {
  const [row] = await app.db('visits');
  expect(Object.keys(row).toSorted()).toEqual(['day', 'id', 'last_at', 'pages', 'started_at', 'visitor']);
  expect(row.visitor).toHaveLength(16);
});
