import { beforeEach, expect, test } from 'vitest';
import { banUser, deleteUser } from '../../../contract/admin.ts';
import { getMe } from '../../../contract/auth.ts';
import { deleteMe } from '../../../contract/users.ts';
import * as api from '../../../contract/x-posting.ts';
import { createBrowser } from '../../../test/harness/client.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { MAYA, openPostingSite, TOM } from '../../../test/harness/posting.ts';

const site = await openPostingSite();
const { app, sandbox, control, consent, createPerson, runJobs } = site;
beforeEach(site.reset);

const POST_START = '/api/auth/twitter/post?returnTo=/dashboard';
const liveTokens = () => sandbox.state.tokens.filter((t) => !t.dead && t.scopes.includes('tweet.write'));

test('the second consent asks for the scopes of posting, with the same callback', async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  const asked = new URL((await browser.send(POST_START)).headers.get('location') ?? '');
  expect(asked.searchParams.get('scope')).toBe('users.read tweet.read tweet.write offline.access');
  expect(asked.searchParams.get('redirect_uri')).toBe(`${site.url}/api/auth/twitter/callback`);
});

test('connecting seals the tokens, keeps the session and agrees to nothing yet', async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  const session = browser.cookies.get('connect.sid');
  expect(await browser.ok(api.getXPosting)).toMatchObject({ mode: 'api', status: 'none' });
  expect(await consent(browser, MAYA, POST_START)).toBe('/dashboard?x=connected');
  expect(browser.cookies.get('connect.sid')).toBe(session);
  expect(await browser.ok(api.getXPosting)).toMatchObject({ status: 'ok', adsSince: null, favoritesSince: null });
  const row = await app.db('x_accounts').first();
  expect(row).toMatchObject({ x_id: MAYA, env: 'sandbox', status: 'ok' });
  const everything = JSON.stringify([row.access_token.toString('latin1'), await app.db('sessions'), row]);
  for (const { token } of sandbox.state.tokens) expect(everything).not.toContain(token);
});

test('a visitor who is not signed in is sent back', async () => {
  const { headers } = await createBrowser(site.url).send(POST_START);
  expect(headers.get('location')).toBe('/dashboard?x=signed-out');
});

test('a refusal at X leaves one signed in and says so', async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  const asked = new URL((await browser.send(POST_START)).headers.get('location') ?? '');
  const back = await browser.send(
    `/api/auth/twitter/callback?error=access_denied&state=${asked.searchParams.get('state')}`,
  );
  expect(back.headers.get('location')).toBe('/dashboard?x=denied');
  expect(await browser.ok(getMe)).toMatchObject({ twitterId: MAYA });
  const [{ data }] = await app.db('sessions').select('data');
  expect(JSON.stringify(data)).not.toMatch(/verifier":"[^"]/);
});

test('two consents of one browser finish in any order, and a forged callback ends neither', async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  const begin = async () => {
    await control('auto-approve', { persona: MAYA });
    const begun = await browser.send(POST_START);
    const consented = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const { pathname, search } = new URL(consented.headers.get('location') ?? '');
    return pathname + search;
  };
  const [first, second] = [await begin(), await begin()];
  const locationOf = async (path: string) => (await browser.send(path)).headers.get('location');
  expect(await locationOf('/api/auth/twitter/callback?error=access_denied&state=forged')).toBe('/');
  expect(await locationOf(first)).toBe('/dashboard?x=connected');
  expect(await locationOf(second)).toBe('/dashboard?x=connected');
  expect(await locationOf(second)).toBe('/dashboard');
});

test('the consent of another person is refused, and its tokens are revoked', async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  expect(await consent(browser, TOM, POST_START)).toBe('/dashboard?x=other-account');
  expect(await app.db('x_accounts')).toEqual([]);
  expect(liveTokens()).toEqual([]);
});

test.each(['tweet.write', 'offline.access'])(
  'without %s it is not taken, and its tokens are revoked',
  async (scope) => {
    await control(`personas/${MAYA}`, { withholds: [scope] }, 'PATCH');
    const browser = await createPerson(MAYA, { forPosting: false });
    expect(await consent(browser, MAYA, POST_START)).toBe('/dashboard?x=scopes');
    expect(await app.db('x_accounts')).toEqual([]);
    expect(liveTokens()).toEqual([]);
  },
);

test('X in trouble while connecting: nothing is stored', async () => {
  const browser = await createPerson(MAYA, { forPosting: false });
  await control('faults', { kind: 'server-error', path: '/2/users/me' });
  expect(await consent(browser, MAYA, POST_START)).toBe('/dashboard?x=error');
  expect(await app.db('x_accounts')).toEqual([]);
});

test('connecting again replaces the pair and revokes the old one', async () => {
  const browser = await createPerson();
  const before = liveTokens().map((t) => t.token);
  expect(await consent(browser, MAYA, POST_START)).toBe('/dashboard?x=connected');
  await runJobs();
  expect(liveTokens()).toHaveLength(2);
  expect(liveTokens().filter((t) => before.includes(t.token))).toEqual([]);
});

test('disconnecting revokes both tokens at X and deletes them here', async () => {
  const browser = await createPerson();
  await browser.ok(api.setXPosting, { body: { ads: true, favorites: true } });
  expect(await browser.ok(api.disconnectX)).toMatchObject({ status: 'none', adsSince: null, favoritesSince: null });
  expect(await app.db('x_accounts')).toEqual([]);
  await runJobs();
  expect(liveTokens()).toEqual([]);
  expect(await app.db('graphile_worker._private_jobs')).toEqual([]);
});

test('disconnecting works while X is away: the tokens are gone here at once, at X when it is back', async () => {
  const browser = await createPerson();
  await control('faults', { kind: 'drop-before', path: '/2/oauth2/revoke', times: 1 });
  expect(await browser.ok(api.disconnectX)).toMatchObject({ status: 'none' });
  expect(await app.db('x_accounts')).toEqual([]);
  await runJobs();
  expect(liveTokens()).toHaveLength(2);
  const queued = JSON.stringify(await app.db('graphile_worker._private_jobs'));
  for (const { token } of liveTokens()) expect(queued).not.toContain(token);
  await runJobs();
  expect(liveTokens()).toEqual([]);
});

test('whom an administrator deletes loses the tokens at X, too, banned or not', async () => {
  for (const isBanned of [false, true]) {
    await createPerson();
    const { id } = await app.db('users').where({ x_id: MAYA }).first('id');
    const admin = await site.signIn((await insertUser(app, { role: 'admin' })).id);
    if (isBanned) await admin.ok(banUser, { params: { id }, body: {} });
    await admin.ok(deleteUser, { params: { id } });
    expect(await app.db('x_accounts')).toEqual([]);
    await runJobs();
    expect(liveTokens()).toEqual([]);
  }
  await app.db('banned_x_accounts').delete();
});

test('deleting the account deletes the tokens', async () => {
  const browser = await createPerson();
  await browser.ok(deleteMe);
  await runJobs();
  expect(liveTokens()).toEqual([]);
});

test('consent has a date, which agreeing again does not move; it cannot be given without a connection', async () => {
  const browser = await createPerson();
  const { adsSince, favoritesSince } = await browser.ok(api.setXPosting, { body: { ads: true } });
  expect(Date.parse(adsSince ?? '')).toBeGreaterThan(Date.now() - 60_000);
  expect(favoritesSince).toBeNull();
  expect(await browser.ok(api.setXPosting, { body: { ads: true, favorites: true } })).toMatchObject({ adsSince });
  expect(await browser.ok(api.setXPosting, { body: { ads: false } })).toMatchObject({ adsSince: null });
  const stranger = await createPerson(TOM, { forPosting: false });
  expect((await stranger.call(api.setXPosting, { body: { ads: true } })).status).toBe(409);
});
