import { beforeEach, expect, test } from 'vitest';
import { listAds } from '../../../contract/ads.ts';
import { getMe } from '../../../contract/auth.ts';
import { sendContact } from '../../../contract/contact.ts';
import { getSiteStats } from '../../../contract/stats.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createClient } from '../../../test/harness/client.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { JUST_WROTE, openSession } from '../../../test/harness/sessions.ts';
import { hashSid, insertSession } from '../../features/sessions/session-repository.ts';
import { createKeygrip, newSid } from '../session/session.ts';
import { hasJustWritten, toWriteMark } from './read-your-writes.ts';
import { isAddressTooLong, readCookie, SESSION_COOKIE } from './request-info.ts';

const { app, url, anonymous } = await openTestApp();
await insertCategories(app);

const hasWritten = (cookie: string) => hasJustWritten({ headers: { cookie } }, app.config);

test('only a signed mark whose time is not over passes by the caches', () => {
  const soon = Date.now() + 2000;
  const mark = toWriteMark(app.config, soon);
  expect([hasWritten(mark), hasWritten(`a=b; ${mark}; c=d`), hasWritten(JUST_WROTE)]).toEqual([true, true, true]);
  const later = mark.replace(String(soon), String(soon + 1000));
  const forged = toWriteMark({ sessionKeys: ['k'.repeat(32)] }, soon);
  const over = toWriteMark(app.config, Date.now() - 1);
  for (const cookie of ['wrote=1', 'wrote=', later, forged, over, `x${mark}`, `wrote=1; ${mark}`])
    expect(hasWritten(cookie), cookie).toBe(false);
});

test('a visitor who writes without an account gets no mark', async () => {
  const body = { name: 'Ann', email: 'ann@example.com', subject: 'Hello', message: 'Hello there' };
  const { status, headers } = await anonymous.call(sendContact, { body });
  expect(status).toBeLessThan(300);
  expect(headers.getSetCookie()).toEqual([]);
});

test('a cookie has exactly its name', () => {
  const sent = 'xconnect.sid=1; connect.sid.sig=2; connect.sid=3=4; connect.sid=5';
  expect(readCookie(sent, SESSION_COOKIE)).toBe('3=4');
  expect(readCookie('xconnect.sid=1; a=connect.sid=2', SESSION_COOKIE)).toBeUndefined();
});

const cleared = (headers: Headers) =>
  headers
    .getSetCookie()
    .filter((line) => /^connect\.sid(\.sig)?=; .*Expires=Thu, 01 Jan 1970/.test(line))
    .map((line) => line.split('=')[0]);
const BOTH = ['connect.sid', 'connect.sid.sig'];

let userId = '';
let cookie = '';
beforeEach(async () => {
  userId = (await insertUser(app)).id;
  cookie = await openSession(app, userId);
});

const STALE: Record<string, () => Promise<unknown>> = {
  'that ended': () => app.db('sessions').where({ user_id: userId }).delete(),
  'that expired': () => app.db('sessions').where({ user_id: userId }).update({ expires_at: '2020-01-01' }),
  'of a banned person': () => app.db('users').where({ id: userId }).update({ banned_at: '2020-01-01' }),
  'of a deleted person': () => app.db('users').where({ id: userId }).update({ deleted_at: '2020-01-01' }),
  'with another signature': async () => {
    cookie = cookie.replace(/sig=..../, 'sig=AAAA');
  },
  'without a signature': async () => {
    cookie = cookie.replace(/;.*/, '');
  },
};

test.each(Object.keys(STALE))(
  'a session %s loses its cookies, on success and on errors, and nobody else does',
  async (name) => {
    await STALE[name]?.();
    const stale = createClient(url, { Cookie: cookie });
    const refused = await stale.call(getMe);
    expect([refused.status, cleared(refused.headers)]).toEqual([401, BOTH]);
    const list = await stale.call(listAds);
    expect([list.status, cleared(list.headers)]).toEqual([200, BOTH]);
    expect(list.headers.get('Cache-Control')).toBe('private, no-cache');
    const others = await anonymous.call(listAds);
    expect([others.status, others.headers.getSetCookie()]).toEqual([200, []]);
    expect(others.headers.get('Cache-Control')).toBe('public, no-cache');
  },
);

test('a live session and a sign-in that waits for X keep their cookies', async () => {
  const sid = newSid();
  await insertSession(app.db, { sid_hash: hashSid(sid), user_id: null, kind: 'start', data: {} });
  const waiting = `connect.sid=${sid}; connect.sid.sig=${createKeygrip(app.config).sign(`connect.sid=${sid}`)}`;
  for (const sent of [cookie, waiting])
    for (const spec of [getMe, listAds, getSiteStats])
      expect((await createClient(url, { Cookie: sent }).call(spec as typeof getMe)).headers.getSetCookie()).toEqual([]);
});

test('a stale cookie is answered from the shared cache', async () => {
  const reads = () => {
    let count = 0;
    const onQuery = ({ sql }: { sql: string }) => void (/listed_ads/.test(sql) && count++);
    app.db.on('query', onQuery);
    return () => (app.db.removeListener('query', onQuery), count);
  };
  const stale = createClient(url, { Cookie: 'connect.sid=nobody; connect.sid.sig=nothing' });
  await anonymous.call(listAds, { query: { limit: '7' } });
  const end = reads();
  await stale.call(listAds, { query: { limit: '7' } });
  expect(end()).toBe(0);
});

const LONG = 'a'.repeat(2048);

test.each(['/', '/ads/', '/api/', '/api/ads/', '/media/', '/assets/', '/feed.atom', '/livez/', '/api/auth/twitter/'])(
  'a path over 2 kB below %s is 414, as JSON with the security headers',
  async (start) => {
    const { status, headers, body } = await anonymous.send(start + LONG);
    expect([status, body.code]).toEqual([414, 'uri_too_long']);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect((await anonymous.send(start + LONG, { method: 'POST', body: {} })).status).toBe(414);
  },
);

test('a long query is no long path; too many parameters are refused', () => {
  expect(isAddressTooLong({ url: `/?search=${LONG}` })).toBe(false);
  expect(isAddressTooLong({ url: `/${LONG.slice(1)}` })).toBe(false);
  expect(isAddressTooLong({ url: `/${LONG}?a=b` })).toBe(true);
  expect(isAddressTooLong({ url: `/?${'a&'.repeat(199)}` })).toBe(false);
  expect(isAddressTooLong({ url: `/?${'a&'.repeat(200)}` })).toBe(true);
});
