import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { XSimulator } from '../../../local/x-simulator/server.ts';
import { CLIENT, control, MAYA, signIn, startTestSimulator } from '../../../test/harness/x-simulator.ts';
import { createXClient, getXUrls, readProfile, type XClient, XError } from './client.ts';

let sandbox: XSimulator;
let client: XClient;
beforeAll(async () => {
  sandbox = await startTestSimulator();
  client = createXClient({ mode: 'sandbox', sandboxUrl: sandbox.url, ...CLIENT, timeoutMs: 500 });
});
afterAll(() => sandbox.close());
beforeEach(() => control(sandbox, 'reset', {}));

const failureOf = async (promise: Promise<unknown>): Promise<XError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(XError);
  return error as XError;
};
const spoil = (fault: Record<string, unknown>) => control(sandbox, 'faults', fault);

test('live means exactly x.com and api.x.com, whatever else is set', () => {
  const urls = getXUrls({ mode: 'live', sandboxUrl: 'http://evil.example' });
  expect(urls).toEqual({
    web: 'https://x.com',
    authorize: 'https://x.com/i/oauth2/authorize',
    token: 'https://api.x.com/2/oauth2/token',
    revoke: 'https://api.x.com/2/oauth2/revoke',
    api: 'https://api.x.com/2',
  });
  expect(() => getXUrls({ mode: 'sandbox' })).toThrow('X_SANDBOX_URL');
});

test('live refuses a token of the sandbox before anything is sent', async () => {
  const { access_token } = await signIn(sandbox);
  const error = await failureOf(createXClient({ mode: 'live', ...CLIENT }).me(access_token));
  expect(error).toMatchObject({ failure: 'unsent', message: 'GET /2/users/me: a sandbox token in live mode' });
});

test('a profile is read in our words', async () => {
  const { access_token } = await signIn(sandbox);
  expect(await client.me(access_token)).toEqual({
    id: MAYA,
    username: 'mayalindqvist',
    displayName: 'Maya Lindqvist',
    avatar: `${sandbox.url}/profile_images/${MAYA}_400x400.png`,
    isVerified: true,
    verifiedType: 'blue',
    isPremium: true,
    xAccountCreated: '2013-12-14T04:35:55.000Z',
    email: null,
  });
});

test.each([
  ['tomokafor', false, false],
  ['priya_raman', false, true],
  ['harbourandpine', true, true],
  ['OldhavenCouncil', true, false],
  ['jonasfeld', true, false],
])('%s: the check and the subscription are two things', async (persona, isVerified, isPremium) => {
  const { access_token } = await signIn(sandbox, persona);
  expect(await client.me(access_token)).toMatchObject({ isVerified, isPremium });
});

test('a post is made and deleted', async () => {
  const { access_token } = await signIn(sandbox);
  const post = await client.createPost(access_token, 'A lamp');
  expect(sandbox.state.posts).toMatchObject([{ id: post.id, text: 'A lamp' }]);
  await client.deletePost(access_token, post.id);
  expect(sandbox.state.posts).toEqual([]);
});

test('refreshing gives a new pair and its scopes; revoking ends it', async () => {
  const { refresh_token } = await signIn(sandbox);
  const tokens = await client.refresh(refresh_token);
  expect(tokens).toMatchObject({
    expiresIn: 7200,
    scopes: ['users.read', 'tweet.read', 'tweet.write', 'offline.access'],
  });
  expect(await failureOf(client.refresh(refresh_token))).toMatchObject({ status: 400, problem: 'invalid_request' });
  await client.revoke(tokens.accessToken);
  expect(await failureOf(client.me(tokens.accessToken))).toMatchObject({ status: 401 });
});

test.each([
  ['server-error', { failure: 'answered', status: 500 }],
  ['unavailable', { failure: 'answered', status: 503 }],
  ['bad-gateway', { failure: 'answered', status: 502, problem: undefined }],
  ['unauthorized', { failure: 'answered', status: 401 }],
  ['credits-depleted', { failure: 'answered', status: 402, problem: 'credits-depleted' }],
  ['duplicate', { failure: 'answered', status: 403, detail: expect.stringContaining('duplicate content') }],
  ['user-suspended', { failure: 'answered', status: 403, problem: 'user-suspended' }],
  ['client-forbidden', { failure: 'answered', status: 403, problem: 'client-not-enrolled' }],
  ['locked', { failure: 'answered', status: 403, codes: [326] }],
  ['rate-limited-old-style', { failure: 'answered', status: 429, codes: [88] }],
  ['drop-before', { failure: 'lost', status: undefined }],
  ['drop-after', { failure: 'lost', status: undefined }],
  ['slow', { failure: 'lost', message: 'POST /2/tweets: no answer in time' }],
  ['huge', { failure: 'lost' }],
])('%s becomes a typed error', async (kind, expected) => {
  const { access_token } = await signIn(sandbox);
  await spoil({ kind, path: '/2/tweets', delayMs: 2000 });
  const error = await failureOf(client.createPost(access_token, 'A lamp'));
  expect(error).toMatchObject(expected);
  expect(JSON.stringify([error, error.message, error.stack])).not.toContain(access_token);
});

test('a 429 carries the time of the reset and the transaction id', async () => {
  const { access_token } = await signIn(sandbox);
  await spoil({ kind: 'rate-limited', path: '/2/tweets', resetSeconds: 90 });
  const error = await failureOf(client.createPost(access_token, 'A lamp'));
  expect(error.rateLimit).toMatchObject({ limit: 100, remaining: 0 });
  expect(error.rateLimit?.resetAt).toBeGreaterThan(Date.now() / 1000 + 80);
  expect(error.transactionId).toMatch(/^[0-9a-f]{16}$/);
});

test('to a port without a listener nothing was sent', async () => {
  const gone = await startTestSimulator();
  await gone.close();
  const deaf = createXClient({ mode: 'sandbox', sandboxUrl: gone.url, ...CLIENT });
  expect(await failureOf(deaf.createPost('a-token', 'A lamp'))).toMatchObject({ failure: 'unsent' });
});

test('a wrong client secret is distinguished from a wrong token', async () => {
  const { refresh_token } = await signIn(sandbox);
  const wrong = createXClient({
    mode: 'sandbox',
    sandboxUrl: sandbox.url,
    clientId: CLIENT.clientId,
    clientSecret: 'no',
  });
  expect(await failureOf(wrong.refresh(refresh_token))).toMatchObject({ status: 401, problem: 'unauthorized_client' });
});

test.each([
  ['Maya\u202E evil\u0007', 'Maya evil'],
  ['\u3164', 'maya'],
  ['   ', 'maya'],
  [undefined, 'maya'],
  ['two\nlines', 'two lines'],
])('the name %j is cleaned, and without a visible character the handle is shown', (name, expected) => {
  expect(readProfile({ id: '1', username: 'maya', name })).toMatchObject({ displayName: expected });
});

test('an address that is none is not taken over', () => {
  const of = (email: string) => readProfile({ id: '1', username: 'maya', confirmed_email: email }).email;
  expect(of('maya@mail.example')).toBe('maya@mail.example');
  expect(of('maya@mail.example\r\nBcc: all@mail.example')).toBeNull();
  expect(of(`a@${'.'.repeat(60_000)} `)).toBeNull();
});
