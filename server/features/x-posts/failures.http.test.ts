import { beforeEach, describe, expect, test } from 'vitest';
import * as api from '../../../contract/x-posting.ts';
import { startXSimulator } from '../../../local/x-simulator/server.ts';
import { insertUser } from '../../../test/harness/factories.ts';
import { openPostingSite, TOM } from '../../../test/harness/posting.ts';
import { createXClient } from '../../integrations/x/client.ts';
import { findOpenCircuit, readPostTotals } from './repository.ts';

const site = await openPostingSite();
const { app, sandbox, control, createPerson, postAd, findPost, runJobs } = site;
beforeEach(site.reset);

const posts = () => sandbox.state.posts;
const spoil = (fault: Record<string, unknown>) => control('faults', { path: '/2/tweets', ...fault });

/** Posts an ad while X is spoilt in this way, and lets the queue work once. */
async function tryToPost(fault: Record<string, unknown>) {
  const maya = await createPerson();
  const { id } = await postAd(maya);
  await spoil(fault);
  await runJobs();
  return { maya, id, post: await findPost(id) };
}

describe('refused for good: failed, and not tried again', () => {
  test.each([
    ['invalid-request', /^X answered 400/],
    ['forbidden', /^forbidden$/],
    ['duplicate', /^duplicate$/],
    ['locked', /^locked$/],
    ['client-forbidden', /^client-not-enrolled$/],
  ])('%s', async (kind, error) => {
    const { id, post } = await tryToPost({ kind });
    expect(post).toMatchObject({ status: 'failed', error: expect.stringMatching(error) });
    await runJobs();
    expect([posts(), (await findPost(id)).status]).toEqual([[], 'failed']);
  });

  test('user-suspended: the link is marked, and nothing else of that person is sent', async () => {
    const { maya, post } = await tryToPost({ kind: 'user-suspended' });
    expect(post).toMatchObject({ status: 'failed', error: 'suspended' });
    expect(await maya.ok(api.getXPosting)).toMatchObject({ status: 'suspended' });
    expect(await postAd(maya)).toMatchObject({ postedToX: false });
  });

  test('the person may ask for another try', async () => {
    const { maya, id } = await tryToPost({ kind: 'locked' });
    const params = { id };
    expect(await maya.ok(api.listXPosts, { params })).toMatchObject([
      { canRetry: true, reason: expect.stringContaining('locked') },
    ]);
    expect(await maya.ok(api.retryXPost, { params })).toMatchObject({ status: 'pending' });
    expect((await maya.call(api.retryXPost, { params })).status).toBe(409);
    await runJobs();
    expect([posts().length, (await findPost(id)).status]).toEqual([1, 'posted']);
  });
});

describe('X in trouble: tried again, later and later', () => {
  test.each(['server-error', 'unavailable', 'bad-gateway'])('%s', async (kind) => {
    const { id, post } = await tryToPost({ kind });
    expect(post).toMatchObject({ status: 'pending', attempts: 1, is_ambiguous: true });
    expect(Date.parse(post.next_attempt_at ?? '') - Date.now()).toBeGreaterThan(20_000);
    await runJobs();
    expect([posts().length, await findPost(id)]).toMatchObject([1, { status: 'posted', attempts: 2 }]);
  });

  test('the pauses grow, and after seven tries it ends as unknown, because one may have worked', async () => {
    const { id, post } = await tryToPost({ kind: 'unavailable', times: 100 });
    const pauses = [Date.parse(post.next_attempt_at ?? '') - Date.now()];
    for (let n = 0; n < 5; n++) {
      await runJobs();
      pauses.push(Date.parse((await findPost(id)).next_attempt_at ?? '') - Date.now());
    }
    for (let n = 1; n < pauses.length; n++) expect(pauses[n]).toBeGreaterThan(pauses[n - 1]! * 1.5);
    await runJobs();
    expect(await findPost(id)).toMatchObject({ status: 'unknown', attempts: 7 });
    await runJobs();
    expect(posts()).toEqual([]);
  });

  test.each(['unavailable-after', 'bad-gateway-after'])(
    '%s: the second try meets its own text, which counts as posted',
    async (kind) => {
      const { id } = await tryToPost({ kind });
      await runJobs();
      expect([posts().length, await findPost(id)]).toMatchObject([1, { status: 'posted', attempts: 2 }]);
    },
  );

  test('a port without a listener is no ambiguity', async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    const live = app.x.createPost;
    const gone = await startXSimulator({ port: 0, clientId: 'a', clientSecret: 'b', redirectUris: [] });
    await gone.close();
    const deaf = createXClient({ mode: 'sandbox', sandboxUrl: gone.url, clientId: 'a', clientSecret: 'b' });
    app.x.createPost = deaf.createPost;
    await runJobs();
    app.x.createPost = live;
    expect(await findPost(id)).toMatchObject({ status: 'pending', is_ambiguous: false, error: 'unreachable' });
    await runJobs();
    expect(posts()).toHaveLength(1);
  });
});

describe('a lost answer is unknown, and only a person tries again', () => {
  test('lost after X worked: the retry meets its own text and counts as posted', async () => {
    const { maya, id, post } = await tryToPost({ kind: 'drop-after' });
    expect(post).toMatchObject({ status: 'unknown', is_ambiguous: true });
    for (let n = 0; n < 3; n++) await runJobs();
    expect((await findPost(id)).status).toBe('unknown');
    await maya.ok(api.retryXPost, { params: { id } });
    await runJobs();
    expect([posts().length, await findPost(id)]).toMatchObject([1, { status: 'posted', x_post_id: null }]);
  });

  test('lost before X worked: the retry posts it', async () => {
    const { maya, id, post } = await tryToPost({ kind: 'drop-before' });
    expect([posts().length, post.status]).toEqual([0, 'unknown']);
    await maya.ok(api.retryXPost, { params: { id } });
    await runJobs();
    expect([posts().length, (await findPost(id)).status]).toEqual([1, 'posted']);
  });

  test('an answer that is no answer', async () => {
    expect((await tryToPost({ kind: 'huge' })).post).toMatchObject({ status: 'unknown' });
    expect(posts()).toHaveLength(1);
  });
});

describe('429', () => {
  test.each(['rate-limited', 'rate-limited-old-style'])('%s waits for the reset and costs no try', async (kind) => {
    const { id, post } = await tryToPost({ kind, resetSeconds: 600 });
    expect(post).toMatchObject({ status: 'pending', attempts: 0, error: 'rate limited', is_ambiguous: false });
    const wait = Date.parse(post.next_attempt_at ?? '') - Date.now();
    expect(wait).toBeGreaterThan(590_000);
    expect(wait).toBeLessThan(620_000);
    await runJobs();
    expect([posts().length, (await findPost(id)).status]).toEqual([1, 'posted']);
  });

  test("X's own limit, reached for real", async () => {
    await control('limits', { 'POST /2/tweets': 1 });
    const maya = await createPerson();
    const ids = [(await postAd(maya)).id, (await postAd(maya)).id];
    await runJobs();
    expect(posts()).toHaveLength(1);
    await control('clock', { advanceSeconds: 901 });
    await runJobs();
    expect(await Promise.all(ids.map(async (id) => (await findPost(id)).status))).toEqual(['posted', 'posted']);
  });
});

describe('402 stops all posting', () => {
  test('no post is sent until one attempt succeeds; then all go on', async () => {
    const [maya, tom] = [await createPerson(), await createPerson(TOM)];
    await control('credits', { dollars: 0.1 });
    const ids = [(await postAd(maya)).id, (await postAd(tom)).id, (await postAd(tom)).id];
    await runJobs();
    const asked = () => sandbox.log.filter((r) => r.path === '/2/tweets').length;
    expect(asked()).toBe(1);
    for (const id of ids) expect(await findPost(id)).toMatchObject({ status: 'pending', error: 'credits-depleted' });
    await runJobs();
    expect(asked()).toBe(1);
    const admin = await site.signIn((await insertUser(app, { role: 'admin' })).id);
    const { stopped } = await admin.ok(api.getXPosting);
    expect(Date.parse(stopped?.until ?? '')).toBe(Date.parse((await findPost(ids[0]!)).next_attempt_at ?? ''));
    expect((await maya.ok(api.getXPosting)).stopped).toBeNull();
    expect(await readPostTotals(app.db)).toMatchObject({
      xPostsWaiting: 3,
      xPostsPosted: 0,
      xSpendUsd: 0,
      xPostingStopped: 1,
    });
    await control('credits', { dollars: null });
    await app.db.raw(
      `update settings set value = jsonb_set(value, '{until}', '"2020-01-01T00:00:00Z"') where key = 'x-posting-stop'`,
    );
    await runJobs();
    await runJobs();
    expect(posts()).toHaveLength(3);
    expect(await findOpenCircuit(app.db)).toBeUndefined();
    expect(await readPostTotals(app.db)).toMatchObject({ xPostsPosted: 3, xSpendUsd: 0.6, xPostingStopped: 0 });
  });

  test('the stop lasts an hour at first, then longer', async () => {
    const { post } = await tryToPost({ kind: 'credits-depleted', times: 2 });
    const wait = Date.parse(post.next_attempt_at ?? '') - Date.now();
    expect(Math.round(wait / 60_000)).toBe(60);
    await app.db.raw(`update settings set value = jsonb_set(value, '{until}', '"2020-01-01T00:00:00Z"')`);
    await runJobs();
    const [stop] = await app.db('settings').pluck('value');
    expect(Math.round((Date.parse(stop.until) - Date.now()) / 60_000)).toBe(120);
  });
});

describe('401', () => {
  const expireAccess = () => control('clock', { advanceSeconds: 7200 + 60 });

  test('an access token that X does not take any more is refreshed, once', async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    await expireAccess();
    await runJobs();
    expect((await findPost(id)).status).toBe('posted');
    expect(refreshes()).toBe(1);
  });

  test('one that we know is over is refreshed beforehand', async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    await app.db('x_accounts').update({ access_expires_at: new Date() });
    await runJobs();
    expect((await findPost(id)).status).toBe('posted');
    expect(sandbox.log.filter((r) => r.path === '/2/tweets').map((r) => r.status)).toEqual([201]);
  });

  test('401 to everything is trouble at X: the tokens are kept, the post waits', async () => {
    const { maya, id, post } = await tryToPost({ kind: 'unauthorized', times: 2 });
    expect(post).toMatchObject({ status: 'pending', error: 'unauthorized' });
    expect(await maya.ok(api.getXPosting)).toMatchObject({ status: 'ok' });
    await runJobs();
    expect((await findPost(id)).status).toBe('posted');
  });

  test('access taken away at X: the person is asked to connect again, and the post is not lost', async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    await control('personas/mayalindqvist/revoke');
    await runJobs();
    expect(await findPost(id)).toMatchObject({ status: 'failed', error: 'reauth' });
    expect(await maya.ok(api.getXPosting)).toMatchObject({ status: 'reauth' });
    await site.consent(maya, 'mayalindqvist', '/api/auth/twitter/post');
    await maya.ok(api.retryXPost, { params: { id } });
    await runJobs();
    expect((await findPost(id)).status).toBe('posted');
  });

  test("a refresh that X answers with 401 is our credentials' fault: the tokens are kept", async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    await expireAccess();
    await control('faults', { kind: 'unauthorized', path: '/2/oauth2/token' });
    await runJobs();
    expect(await findPost(id)).toMatchObject({ status: 'pending' });
    expect(await maya.ok(api.getXPosting)).toMatchObject({ status: 'ok' });
    await runJobs();
    expect((await findPost(id)).status).toBe('posted');
  });

  test('the answer to a refresh lost after X rotated: nothing is sent, the person connects again', async () => {
    const maya = await createPerson();
    const { id } = await postAd(maya);
    await expireAccess();
    await control('faults', { kind: 'drop-after', path: '/2/oauth2/token' });
    await runJobs();
    expect((await findPost(id)).status).toBe('pending');
    await runJobs();
    expect(await findPost(id)).toMatchObject({ status: 'failed', error: 'reauth' });
    expect([posts(), (await maya.ok(api.getXPosting)).status]).toEqual([[], 'reauth']);
  });
});

const refreshes = () => sandbox.log.filter((r) => r.body?.grant_type === 'refresh_token').length;
