import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import * as auth from '../../../contract/auth.ts';
import { getBan } from '../../../contract/reports.ts';
import { startXSimulator } from '../../../local/x-simulator/server.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { createBrowser } from '../../../test/harness/client.ts';
import { createPool } from '../../db/pools.ts';
import { remove } from '../../features/account/removal.ts';
import { banUser, deleteUser, unbanDeletedUser } from '../../features/admin/service.ts';
import { hashSid } from '../../features/sessions/session-repository.ts';
import { lockUserForUpdate } from '../../features/users/repository.ts';
import { operator } from '../../policy.ts';

const CLIENT = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
const redirectUris: string[] = [];
const sandbox = await startXSimulator({ port: 0, ...CLIENT, redirectUris });
afterAll(sandbox.close);

const { app, url } = await openTestApp({
  env: {
    X_MODE: 'sandbox',
    X_SANDBOX_URL: sandbox.url,
    X_CLIENT_ID: CLIENT.clientId,
    X_CLIENT_SECRET: CLIENT.clientSecret,
  },
});
redirectUris.push(`${url}/api/auth/twitter/callback`);

const MAYA = '2244994945';
const TOM = '1488016301';

const control = (path: string, body: unknown, method = 'POST') =>
  fetch(`${sandbox.url}/__sandbox/${path}`, { method, body: JSON.stringify(body) });

type Browser = ReturnType<typeof createBrowser>;
const pathOf = (location: string | null) => (location ?? '').replace(url, '');

/** Starts a sign-in and consents at X; the callback's address, not yet opened. */
async function consent(browser: Browser, persona = MAYA, start = '/api/auth/twitter'): Promise<string> {
  await control('auto-approve', { persona });
  const begun = await browser.send(start);
  const consented = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  return pathOf(consented.headers.get('location'));
}

async function signIn(browser: Browser, persona = MAYA, start?: string) {
  return pathOf((await browser.send(await consent(browser, persona, start))).headers.get('location'));
}

const countSessions = async () => Number((await app.db('sessions').count())[0]?.count);

beforeEach(async () => {
  await app.db('sessions').delete();
});

test('signing in creates the person from X and leads back to where they came from', async () => {
  const browser = createBrowser(url);
  expect(await signIn(browser, MAYA, '/api/auth/twitter?returnTo=/ads/7%3Fa%3Db')).toBe('/ads/7?a=b');
  const me = await browser.ok(auth.getMe);
  expect(me).toMatchObject({ twitterId: MAYA, role: 'user', email: null, hasPassword: false });
  // the name is X's of today: other processes are not to show the old one
  expect(browser.cookies.get('wrote')).toMatch(/^\d{13}\./);
  expect(await app.db('users').where({ x_id: MAYA }).count()).toEqual([{ count: '1' }]);
});

test('X is asked for the two reading scopes, PKCE and state, and nothing of the query reaches it', async () => {
  const browser = createBrowser(url);
  const { headers } = await browser.send('/api/auth/twitter?scope=evil&authorize_url=http://evil&state=mine');
  const asked = new URL(headers.get('location') ?? '');
  expect(asked.origin).toBe(sandbox.url);
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    scope: 'users.read tweet.read',
    redirect_uri: `${url}/api/auth/twitter/callback`,
    code_challenge_method: 'S256',
    state: expect.stringMatching(/^[0-9a-f]{40}$/),
  });
});

test('tokens are in no session row, and a session row is small however long the query', async () => {
  const browser = createBrowser(url);
  await browser.send(`/api/auth/twitter?x=${'y'.repeat(8000)}`);
  const [row] = await app.db('sessions').select(app.db.raw('length(data::text) as bytes'));
  expect(row.bytes).toBeLessThan(600);
  await signIn(browser);
  const [{ data }] = await app.db('sessions').select('data');
  expect(Object.keys(data)).toEqual(['attempts']);
  for (const attempt of data.attempts)
    expect(Object.keys(attempt).toSorted()).toEqual(['isForPosting', 'isOver', 'returnTo', 'state', 'verifier']);
});

test('the session id changes at sign-in and the old one is worthless', async () => {
  const browser = createBrowser(url);
  await browser.send('/api/auth/twitter');
  const planted = new Map(browser.cookies);
  await signIn(browser);
  expect(browser.cookies.get('connect.sid')).not.toBe(planted.get('connect.sid'));
  const attacker = createBrowser(url);
  for (const [name, value] of planted) attacker.cookies.set(name, value);
  expect((await attacker.call(auth.getMe)).status).toBe(401);
  expect(await countSessions()).toBe(1);
});

test('the database holds the hash of the id, the cookie is HttpOnly and Lax for 90 days', async () => {
  const browser = createBrowser(url);
  const { headers } = await browser.send(await consent(browser));
  const sid = browser.cookies.get('connect.sid') ?? '';
  expect(Buffer.from(sid, 'base64url')).toHaveLength(32);
  expect(await app.db('sessions').pluck('sid_hash')).toEqual([hashSid(sid)]);
  const cookies = headers.getSetCookie().filter((cookie) => !cookie.startsWith('wrote='));
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies)
    expect(cookie).toMatch(/^connect\.sid(\.sig)?=[\w-]+; path=\/; expires=[^;]+; samesite=lax; httponly$/i);
});

describe('a sign-in that fails changes nothing and says so', () => {
  test.each([
    ['denied', (cb: URL) => cb.searchParams.set('error', 'access_denied'), 'denied'],
    ['another error', (cb: URL) => cb.searchParams.set('error', 'server_error'), 'error'],
    ['no code', (cb: URL) => cb.searchParams.delete('code'), 'error'],
    ['two codes', (cb: URL) => cb.searchParams.append('code', 'b'), 'error'],
    ['an unknown code', (cb: URL) => cb.searchParams.set('code', 'nonsense'), 'error'],
    ['a token instead of a code', injectToken, 'error'],
  ])('%s', async (_name, spoil, outcome) => {
    const browser = createBrowser(url);
    const callback = new URL(await consent(browser, TOM, '/api/auth/twitter?returnTo=/messages'), url);
    spoil(callback);
    const { status, headers } = await browser.send(callback.pathname + callback.search);
    const where = pathOf(headers.get('location'));
    expect(status).toBe(302);
    expect(where).toMatch(new RegExp(`^/(messages)?\\?auth=${outcome}$`));
    expect((await browser.call(auth.getMe)).status).toBe(401);
    expect(await countSessions()).toBe(0);
    expect(await app.db('users').where({ x_id: TOM })).toEqual([]);
  });

  function injectToken(callback: URL) {
    callback.searchParams.delete('code');
    callback.searchParams.set('access_token', 'STOLEN');
  }

  test('the callback in a browser that began no sign-in', async () => {
    const callback = await consent(createBrowser(url), TOM);
    const victim = createBrowser(url);
    expect(pathOf((await victim.send(callback)).headers.get('location'))).toBe('/?auth=other-browser');
    expect((await victim.call(auth.getMe)).status).toBe(401);
  });

  test('X has suspended the account', async () => {
    const browser = createBrowser(url);
    const callback = await consent(browser);
    await control('faults', { kind: 'user-suspended', path: '/2/users/me' });
    expect(pathOf((await browser.send(callback)).headers.get('location'))).toBe('/?auth=x-suspended');
  });

  test.each([
    ['server-error', '/2/oauth2/token'],
    ['unavailable', '/2/oauth2/token'],
    ['bad-gateway', '/2/oauth2/token'],
    ['drop-before', '/2/oauth2/token'],
    ['drop-after', '/2/oauth2/token'],
    ['huge', '/2/oauth2/token'],
    ['unauthorized', '/2/users/me'],
    ['rate-limited', '/2/users/me'],
    ['bad-gateway', '/2/users/me'],
    ['drop-before', '/2/users/me'],
    ['huge', '/2/users/me'],
  ])('X answers %s at %s', async (kind, path) => {
    const browser = createBrowser(url);
    const callback = await consent(browser);
    const faulty = await control('faults', { kind, path });
    expect(await faulty.text()).toContain(kind);
    expect(pathOf((await browser.send(callback)).headers.get('location'))).toBe('/?auth=error');
    expect(await countSessions()).toBe(0);
  });
});

describe('sign-ins in several tabs', () => {
  const open = async (browser: Browser, callback: string) =>
    pathOf((await browser.send(callback)).headers.get('location'));
  const nameOf = async (browser: Browser) => (await browser.ok(auth.getMe)).twitterId;

  test.each([
    { order: 'the one that was opened first', first: 0, second: 1 },
    { order: 'the one that was opened last', first: 1, second: 0 },
  ])('all finish, beginning with $order, and each leads back to its page', async ({ first, second }) => {
    const browser = createBrowser(url);
    const tabs = [
      await consent(browser, MAYA, '/api/auth/twitter?returnTo=/ads/1'),
      await consent(browser, MAYA, '/api/auth/twitter?returnTo=/ads/2'),
    ];
    expect(await open(browser, tabs[first]!)).toBe(`/ads/${first + 1}`);
    expect(await open(browser, tabs[second]!)).toBe(`/ads/${second + 1}`);
    expect(await nameOf(browser)).toBe(MAYA);
    expect(await countSessions()).toBe(1);
  });

  test('a denial ends its own only', async () => {
    const browser = createBrowser(url);
    const waiting = await consent(browser);
    const denied = new URL(await consent(browser), url);
    denied.searchParams.delete('code');
    denied.searchParams.set('error', 'access_denied');
    expect(await open(browser, denied.pathname + denied.search)).toBe('/?auth=denied');
    expect(await open(browser, waiting)).toBe('/');
    expect(await nameOf(browser)).toBe(MAYA);
  });

  test.each([
    '',
    '?state=',
    '?error=access_denied',
    '?code=1',
    `?state=${'a'.repeat(40)}&code=1`,
    '?state=a&state=b&error=x',
  ])('a forged callback "%s" ends none of those that wait', async (query) => {
    const browser = createBrowser(url);
    const waiting = await consent(browser, MAYA, '/api/auth/twitter?returnTo=/messages');
    expect(await open(browser, `/api/auth/twitter/callback${query}`)).toBe('/?auth=error');
    expect(await open(browser, waiting)).toBe('/messages');
    expect(await nameOf(browser)).toBe(MAYA);
  });

  test('who is signed in, goes back and approves again arrives where the sign-in led, without a word', async () => {
    const browser = createBrowser(url);
    const callback = await consent(browser, MAYA, '/api/auth/twitter?returnTo=/ads/7');
    expect(await open(browser, callback)).toBe('/ads/7');
    expect(await open(browser, callback)).toBe('/ads/7');
    expect(await open(browser, `${callback.replace(/code=[^&]*/, 'code=another')}`)).toBe('/ads/7');
    expect(await open(browser, '/api/auth/twitter/callback?state=unknown&error=access_denied')).toBe('/');
    expect(await nameOf(browser)).toBe(MAYA);
  });

  test('the newest five of a browser wait; their session stays small', async () => {
    const browser = createBrowser(url);
    const callbacks: string[] = [];
    for (let n = 0; n < 7; n++)
      callbacks.push(await consent(browser, MAYA, `/api/auth/twitter?returnTo=/${'x'.repeat(400)}${n}`));
    const [row] = await app.db('sessions').select(app.db.raw('length(data::text) as bytes'));
    expect(row.bytes).toBeLessThan(20_000);
    expect(await countSessions()).toBe(1);
    expect(await open(browser, callbacks[0]!)).toBe('/?auth=error');
    expect(await open(browser, callbacks[2]!)).toMatch(/2$/);
  });

  test('one that the previous release began finishes after the upgrade', async () => {
    const browser = createBrowser(url);
    const callback = await consent(browser, MAYA, '/api/auth/twitter?returnTo=/ads/3');
    await app.db.raw("update sessions set data = data - 'attempts'");
    expect(await open(browser, callback)).toBe('/ads/3');
    expect(await nameOf(browser)).toBe(MAYA);
  });

  test('a state of another browser signs nobody in', async () => {
    const [browser, attacker] = [createBrowser(url), createBrowser(url)];
    const waiting = await consent(browser);
    const planted = await consent(attacker, TOM);
    expect(await open(browser, planted)).toBe('/?auth=error');
    expect((await browser.call(auth.getMe)).status).toBe(401);
    expect(await open(browser, waiting)).toBe('/');
    expect(await nameOf(browser)).toBe(MAYA);
  });
});

test.each([
  ['another person ends', TOM, 0],
  ['the same person keeps', MAYA, 1],
])('after a session expired, %s push notifications by signing in in that browser', async (_, persona, left) => {
  const browser = createBrowser(url);
  await signIn(browser, MAYA);
  const { id } = await browser.ok(auth.getMe);
  const endpoint = `https://push.example/${persona}`;
  const session_hash = hashSid(browser.cookies.get('connect.sid')!);
  const device = { user_id: id, session_hash, endpoint, p256dh: Buffer.alloc(65), auth: Buffer.alloc(16) };
  await app.db('push_subscriptions').insert(device);
  await app.db('sessions').update({ last_seen_at: '2020-01-01' });
  expect(await signIn(browser, persona)).toBe('/');
  expect(await app.db('push_subscriptions').where({ endpoint, user_id: id })).toHaveLength(left);
  await browser.ok(auth.logout);
  expect(await app.db('push_subscriptions').where({ endpoint })).toEqual([]);
});

test('a request that began before logout brings nothing back when it ends after it', async () => {
  const browser = createBrowser(url);
  await signIn(browser);
  const callback = await consent(browser, TOM);
  const elsewhere = createBrowser(url);
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const { x } = app;
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  app.x = {
    ...x,
    me: () => {
      asked.resolve();
      return answer.promise;
    },
  };
  const slow = browser.send(callback);
  await asked.promise;
  expect((await elsewhere.call(auth.logout)).status).toBe(204);
  answer.reject(new Error('X took too long'));
  await slow;
  app.x = x;
  expect(await countSessions()).toBe(0);
  expect((await browser.call(auth.getMe)).status).toBe(401);
});

test('a banned person learns of the ban and gets no session', async () => {
  const browser = createBrowser(url);
  await signIn(browser);
  await app.db('users').where({ x_id: MAYA }).update({ banned_at: app.db.fn.now() });
  expect((await browser.call(auth.getMe)).status).toBe(401);
  const path = await signIn(browser);
  expect(path).toMatch(/^\/ban\?token=[\w.-]+$/);
  const token = path.slice('/ban?token='.length);
  expect(await browser.ok(getBan, { query: { token } })).toMatchObject({ action: 'ban', canAppeal: true });
  expect((await browser.call(auth.getMe)).status).toBe(401);
  await app.db('users').where({ x_id: MAYA }).update({ banned_at: null });
});

describe('a ban outlives the deletion of the person', () => {
  const OPERATOR = operator('cli:test');
  const removeBanned = async (): Promise<string> => {
    const { id } = await app.db('users').where({ x_id: MAYA }).first('id');
    await banUser(app, OPERATOR, id, 'fakes');
    await deleteUser(app, OPERATOR, id);
    return id;
  };

  test('the X account stays shut out until an administrator lifts the ban; nothing of the person is kept', async () => {
    const browser = createBrowser(url);
    await signIn(browser);
    await removeBanned();
    const people = await app.db('users').count();
    expect(await signIn(createBrowser(url))).toBe('/?auth=suspended');
    expect([await app.db('users').count(), await countSessions()]).toEqual([people, 0]);
    const kept = await app.db('banned_x_accounts');
    expect(kept).toEqual([{ id_hash: expect.any(Buffer), banned_at: expect.any(String), ends_at: null }]);
    const settings = JSON.stringify(await app.db('settings'));
    for (const text of [kept[0].id_hash.toString('latin1'), kept[0].id_hash.toString('hex'), settings])
      expect(text).not.toContain(MAYA);
    expect(await signIn(createBrowser(url), TOM)).not.toContain('suspended');
    expect(await unbanDeletedUser(app, OPERATOR, TOM)).toBe(false);
    expect(await unbanDeletedUser(app, OPERATOR, MAYA)).toBe(true);
    expect(await signIn(createBrowser(url))).toBe('/');
    expect(await app.db('audit_log').where({ action: 'user.unban' }).count()).toEqual([{ count: '1' }]);
  });

  test('also for a sign-in that waited for the deletion', async () => {
    await signIn(createBrowser(url));
    const { id } = await app.db('users').where({ x_id: MAYA }).first('id');
    await banUser(app, OPERATOR, id);
    const deletion = await app.db.transaction();
    await remove(deletion, (await lockUserForUpdate(deletion, id))!);
    const waiting = signIn(createBrowser(url));
    // past a pooler: both of the connections that it has here are taken
    const direct = createPool({ url: app.config.databaseDirectUrl, name: 'test' });
    const waits = () =>
      direct('pg_stat_activity').where({ wait_event_type: 'Lock' }).whereRaw('datname = current_database()');
    await expect.poll(async () => (await waits()).length).toBe(1);
    await direct.destroy();
    await deletion.commit();
    expect(await waiting).toBe('/?auth=suspended');
    expect(await app.db('users').where({ x_id: MAYA })).toEqual([]);
    await unbanDeletedUser(app, OPERATOR, MAYA);
  });

  test('but not that of a person who was not banned', async () => {
    await signIn(createBrowser(url));
    await deleteUser(app, OPERATOR, (await app.db('users').where({ x_id: MAYA }).first('id')).id);
    expect(await app.db('banned_x_accounts')).toEqual([]);
    expect(await signIn(createBrowser(url))).toBe('/');
  });
});

test('a handle longer than X gives out today signs in, and has a profile', async () => {
  const LONG = 'quiggletonsmythe_the_first';
  await control(`personas/${TOM}`, { username: LONG }, 'PATCH');
  const browser = createBrowser(url);
  expect(await signIn(browser, TOM)).toBe('/');
  expect((await browser.ok(auth.getMe))?.username).toBe(LONG);
  expect((await browser.send(`/api/users/${LONG}/profile`)).status).toBe(200);
});

test('a handle that X gave to another person is freed here, its old owner keeps everything else', async () => {
  const [old] = await app.db('users').insert({ x_id: '99', username: 'someone', display_name: 'Old' }).returning('*');
  const browser = createBrowser(url);
  await signIn(browser, TOM);
  const tom = await browser.ok(auth.getMe);
  await app.db('users').where({ id: tom?.id }).delete();
  await app.db('users').where({ id: old.id }).update({ username: tom?.username?.toUpperCase() });
  await signIn(browser, TOM);
  expect((await browser.ok(auth.getMe))?.username).toBe(tom?.username);
  expect(await app.db('users').where({ id: old.id }).first()).toMatchObject({ username: null, display_name: 'Old' });
});

test('two first sign-ins of one person at once make one person', async () => {
  await app.db('users').where({ x_id: TOM }).delete();
  const browsers = Array.from({ length: 8 }, () => createBrowser(url));
  const callbacks: string[] = [];
  for (const browser of browsers) callbacks.push(await consent(browser, TOM));
  const ends = await Promise.all(browsers.map((browser, i) => browser.send(callbacks[i] ?? '')));
  expect(ends.map(({ headers }) => pathOf(headers.get('location')))).toEqual(Array(8).fill('/'));
  expect(await app.db('users').where({ x_id: TOM }).count()).toEqual([{ count: '1' }]);
});

test.each([
  ['GET', '/api/auth/google'],
  ['GET', '/api/auth/twitter/xyz'],
  ['GET', '/api/auth/twitter/callback/extra'],
  ['GET', '/api/auth/__proto__'],
  ['GET', '/API/AUTH/ME'],
  ['GET', '/api/auth/me/'],
  ['GET', '//api/auth/me'],
])('%s %s is nowhere', async (method, path) => {
  const { status, body } = await createBrowser(url).send(path, { method });
  expect([status, body.code]).toEqual([404, 'not_found']);
});

test('another method on a known path is 405 and names what is allowed', async () => {
  const { status, headers } = await createBrowser(url).send('/api/auth/twitter', { method: 'POST' });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a suspended person signs in; one whose account was deleted meanwhile reads until when, and then signs in', async () => {
  expect(await signIn(createBrowser(url))).toBe('/');
  const inADay = new Date(Date.now() + 86_400_000).toISOString();
  await app.db('users').where({ x_id: MAYA }).update({ suspended_until: inADay });
  expect(await signIn(createBrowser(url))).toBe('/');
  await deleteUser(app, operator('test'), (await app.db('users').where({ x_id: MAYA }).first('id')).id);
  const refused = new URL((await signIn(createBrowser(url)))!, url).searchParams;
  expect([refused.get('auth'), Date.parse(refused.get('until')!)]).toEqual(['suspended', Date.parse(inADay)]);
  expect(await app.db('users').where({ x_id: MAYA })).toEqual([]);
  await app.db('banned_x_accounts').update({ ends_at: '2020-01-01' });
  expect(await signIn(createBrowser(url))).toBe('/');
});
