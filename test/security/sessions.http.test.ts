import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../contract/ads.ts';
import * as auth from '../../contract/auth.ts';
import { getPasswords } from '../../server/features/auth/password.ts';
import { openTestApp } from '../harness/app.ts';
import { createBrowser, createClient } from '../harness/client.ts';
import { adBody, insertAdmin, insertCategories, insertUser, PASSWORD } from '../harness/factories.ts';
import { openSession } from '../harness/sessions.ts';

const OLD_KEY = 'an-old-key-of-at-least-thirty-two-bytes!!';
const NEW_KEY = 'a-new-key-of-at-least-thirty-two-bytes!!!';
const { app, url, signIn } = await openTestApp({ env: { SESSION_KEYS: `${NEW_KEY},${OLD_KEY}` } });
beforeAll(() => insertCategories(app));

const sessionsOf = async (userId: string) =>
  Number((await app.db('sessions').where({ user_id: userId }).count())[0]?.count);
const age = (columns: Record<string, string>) =>
  app
    .db('sessions')
    .update(
      Object.fromEntries(Object.entries(columns).map(([name, by]) => [name, app.db.raw(`${name} - interval '${by}'`)])),
    );

async function openBrowser(userId: string) {
  const browser = createBrowser(url);
  const pairs = (await openSession(app, userId)).split('; ');
  for (const pair of pairs) browser.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  return browser;
}

describe('the cookie', () => {
  test('that is forged, cut, unsigned or signed by a foreign key signs no one in, and writes no row', async () => {
    const user = await insertUser(app);
    const browser = await openBrowser(user.id);
    const [sid, sig] = [browser.cookies.get('connect.sid') ?? '', browser.cookies.get('connect.sid.sig') ?? ''];
    const foreign = await openSession({ ...app, config: { ...app.config, sessionKeys: ['x'.repeat(40)] } }, user.id);
    const before = await sessionsOf(user.id);
    for (const cookie of [
      `connect.sid=${sid}`,
      `connect.sid=${sid}; connect.sid.sig=`,
      `connect.sid=${sid}; connect.sid.sig=${sig.slice(1)}`,
      `connect.sid=${sid}; connect.sid.sig=${[...sig].reverse().join('')}`,
      `connect.sid=${sid.slice(1)}; connect.sid.sig=${sig}`,
      `connect.sid=${'a'.repeat(43)}; connect.sid.sig=${sig}`,
      `connect.sid=${'a'.repeat(8000)}; connect.sid.sig=${sig}`,
      `connect.sid=%00; connect.sid.sig=${sig}`,
      `connect.sid.sig=${sig}`,
      foreign,
    ]) {
      const client = createClient(url, { Cookie: cookie });
      expect((await client.call(auth.getMe)).status).toBe(401);
      expect((await client.send('/api/ads')).status).toBe(200);
      expect((await client.send('/')).status).toBe(200);
    }
    expect(await sessionsOf(user.id)).toBe(before);
    expect((await browser.call(auth.getMe)).status).toBe(200);
  });

  test('signed by an old key stays valid and is signed again, with all its attributes', async () => {
    const user = await insertUser(app);
    const old = await openSession({ ...app, config: { ...app.config, sessionKeys: [OLD_KEY] } }, user.id);
    const { status, headers } = await createClient(url, { Cookie: old }).call(auth.getMe);
    expect(status).toBe(200);
    const cookies = headers.getSetCookie();
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
    const fresh = cookies.map((cookie) => cookie.split(';')[0]).join('; ');
    const again = await createClient(url, { Cookie: fresh }).call(auth.getMe);
    expect([again.status, again.headers.getSetCookie()]).toEqual([200, []]);
  });

  test('is not set by browsing: no row, no cookie', async () => {
    const rows = await app.db('sessions').count();
    const client = createClient(url);
    for (const path of ['/', '/api/ads', '/api/auth/me', '/categories', '/healthz', '/nowhere'])
      expect([path, (await client.send(path)).headers.getSetCookie()]).toEqual([path, []]);
    expect(await app.db('sessions').count()).toEqual(rows);
  });
});

describe('lifetimes, by the clock of the database', () => {
  test.each([
    ['x', { last_seen_at: '13 days 23 hours' }, 200],
    ['x', { last_seen_at: '14 days 1 minute' }, 401],
    ['x', { expires_at: '89 days 23 hours' }, 200],
    ['x', { expires_at: '90 days 1 minute' }, 401],
    ['password', { last_seen_at: '29 minutes' }, 200],
    ['password', { last_seen_at: '31 minutes' }, 401],
    ['password', { expires_at: '7 hours 59 minutes' }, 200],
    ['password', { expires_at: '8 hours 1 minute' }, 401],
  ] as const)('a session of kind %s moved by %o answers %i', async (kind, moved, status) => {
    const client = await signIn((await insertUser(app)).id, kind);
    await age(moved);
    expect((await client.call(auth.getMe)).status).toBe(status);
  });

  test('being seen is written at most every five minutes', async () => {
    const user = await insertUser(app);
    const client = await signIn(user.id);
    const seen = async () => (await app.db('sessions').where({ user_id: user.id }).first()).last_seen_at;
    const first = await seen();
    await client.call(auth.getMe);
    expect(await seen()).toBe(first);
    await age({ last_seen_at: '6 minutes' });
    const moved = await seen();
    await createClient(url, client.headers).call(createAd, { body: adBody() });
    expect(Date.parse(await seen())).toBeGreaterThan(Date.parse(moved) + 300_000);
    expect((await app.db('users').where({ id: user.id }).first()).last_seen_at).not.toBeNull();
  });
});

describe('the end of a session holds at once', () => {
  test('a ban ends all sessions for reads and writes alike, whatever was read a moment ago', async () => {
    const user = await insertUser(app);
    const clients = [await signIn(user.id), await signIn(user.id)];
    for (const client of clients) await client.ok(auth.getMe);
    await app.db('users').where({ id: user.id }).update({ banned_at: app.db.fn.now() });
    for (const client of clients) {
      expect((await client.call(createAd, { body: adBody() })).status).toBe(401);
      await expect.poll(async () => (await client.call(auth.getMe)).status).toBe(401);
    }
  });

  test('a demotion holds for the next write', async () => {
    const admin = await insertAdmin(app);
    const client = await signIn(admin.id);
    expect((await client.send('/api/admin/change-password', { method: 'POST', body: {} })).status).toBe(400);
    await app.db('users').where({ id: admin.id }).update({ role: 'user' });
    expect((await client.send('/api/admin/change-password', { method: 'POST', body: {} })).status).toBe(403);
  });

  test('reads ask the database themselves while notifications may be missed', async () => {
    const user = await insertUser(app);
    const client = await signIn(user.id);
    const { isUp } = app.events;
    app.events.isUp = () => false;
    await client.ok(auth.getMe);
    await app
      .db('sessions')
      .where({ user_id: user.id })
      .update({ user_id: (await insertUser(app)).id });
    expect((await client.ok(auth.getMe)).id).not.toBe(user.id);
    app.events.isUp = isUp;
  });
});

describe('signing in with a password', () => {
  const signInWith = (client: ReturnType<typeof createBrowser>, username: string, password: string) =>
    client.call(auth.signInAdmin, { body: { username, password } });

  test('starts a session of eight hours under a new id', async () => {
    const admin = await insertAdmin(app);
    const browser = await openBrowser((await insertUser(app)).id);
    const before = browser.cookies.get('connect.sid');
    const { status, body, headers } = await signInWith(browser, admin.login.toUpperCase(), PASSWORD);
    expect([status, body.id, body.role, body.hasPassword]).toEqual([200, admin.id, 'admin', true]);
    expect(browser.cookies.get('connect.sid')).not.toBe(before);
    const expires = Date.parse(/expires=([^;]+)/i.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? '');
    expect(expires - Date.now()).toBeLessThanOrEqual(8 * 3600_000);
    expect(await app.db('sessions').where({ user_id: admin.id }).pluck('kind')).toEqual(['password']);
    expect((await createClient(url, { Cookie: `connect.sid=${before}` }).call(auth.getMe)).status).toBe(401);
  });

  test('says the same about a wrong password, an unknown name and a person who is no administrator', async () => {
    const admin = await insertAdmin(app);
    const demoted = await insertAdmin(app);
    await app.db('users').where({ id: demoted.id }).update({ role: 'user' });
    const answers = await Promise.all(
      [
        [admin.login, 'wrong'],
        [admin.login, `${PASSWORD} `],
        ['nobody', PASSWORD],
        [demoted.login, PASSWORD],
      ].map(async ([username = '', password = '']) => {
        const { status, body, headers } = await signInWith(createBrowser(url), username, password);
        return [status, body.code, body.message, headers.get('content-length'), headers.getSetCookie().length];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.slice(0, 3)).toEqual([401, 'invalid_credentials', 'Invalid admin credentials']);
  });

  test('verifies a password for unknown names too', async () => {
    const { verify } = getPasswords(app);
    const hashes: unknown[] = [];
    getPasswords(app).verify = (hash, password) => {
      hashes.push(hash);
      return verify(hash, password);
    };
    await signInWith(createBrowser(url), 'nobody', 'x');
    getPasswords(app).verify = verify;
    expect(hashes).toEqual([undefined]);
  });

  test('refuses a banned administrator', async () => {
    const admin = await insertAdmin(app);
    await app.db('users').where({ id: admin.id }).update({ banned_at: app.db.fn.now() });
    const { status, body } = await signInWith(createBrowser(url), admin.login, PASSWORD);
    expect([status, body.code]).toEqual([403, 'account_banned']);
  });

  test('a new password ends every other session and keeps this browser signed in', async () => {
    const admin = await insertAdmin(app);
    const [here, there] = [createBrowser(url), createBrowser(url)];
    await signInWith(here, admin.login, PASSWORD);
    await signInWith(there, admin.login, PASSWORD);
    const stolen = new Map(here.cookies);
    const change = (currentPassword: string, newPassword: string) =>
      here.call(auth.changePassword, { body: { currentPassword, newPassword } });
    expect((await change('wrong', 'a fine new one')).status).toBe(401);
    expect((await change(PASSWORD, 'abcde')).body.fields).toHaveProperty('newPassword');
    expect((await change(PASSWORD, 'Password123!')).body.message).toBe('This password is too common');
    expect((await change(PASSWORD, 'a fine new one')).status).toBe(204);
    expect((await here.call(auth.getMe)).status).toBe(200);
    expect((await there.call(auth.getMe)).status).toBe(401);
    const thief = createBrowser(url);
    for (const [name, value] of stolen) thief.cookies.set(name, value);
    expect((await thief.call(auth.getMe)).status).toBe(401);
    expect((await signInWith(there, admin.login, PASSWORD)).status).toBe(401);
    expect((await signInWith(there, admin.login, 'a fine new one')).status).toBe(200);
    expect(await app.db('audit_log').where({ actor_id: admin.id }).pluck('action')).toEqual(['password.change']);
  });
});
