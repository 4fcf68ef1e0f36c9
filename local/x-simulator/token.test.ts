import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  control,
  getCode,
  postForm,
  redeem,
  requestToken,
  signIn,
  startTestSimulator,
} from '../../test/harness/x-simulator.ts';
import type { XSimulator } from './server.ts';

let sandbox: XSimulator;
beforeAll(async () => {
  sandbox = await startTestSimulator();
});
afterAll(() => sandbox.close());
beforeEach(() => control(sandbox, 'reset', {}));

const showMe = (token: string) => fetch(`${sandbox.url}/2/users/me`, { headers: { authorization: `Bearer ${token}` } });
const refresh = (token: string) => requestToken(sandbox, { grant_type: 'refresh_token', refresh_token: token });

test('a code becomes a marked token pair', async () => {
  const tokens = await signIn(sandbox);
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 7200 });
  expect(tokens.access_token).toHaveLength(91);
  expect(Buffer.from(tokens.access_token, 'base64url').toString()).toMatch(/^SBX.+:1:1:at:1$/);
  expect((await showMe(tokens.access_token)).status).toBe(200);
});

test('without offline.access there is no refresh token', async () => {
  expect(await signIn(sandbox, undefined, 'users.read tweet.read')).not.toHaveProperty('refresh_token');
});

test('a code works once, and its reuse kills the tokens it made', async () => {
  const code = await getCode(sandbox);
  const first = (await (await redeem(sandbox, code)).json()) as { access_token: string };
  const second = await redeem(sandbox, code);
  expect(second.status).toBe(400);
  expect(await second.json()).toEqual({
    error: 'invalid_request',
    error_description: 'Value passed for the authorization code was invalid.',
  });
  expect((await showMe(first.access_token)).status).toBe(401);
});

test('a code dies after 30 seconds', async () => {
  const code = await getCode(sandbox);
  await control(sandbox, 'clock', { advanceSeconds: 31 });
  expect((await redeem(sandbox, code)).status).toBe(400);
});

test('a wrong verifier burns the code', async () => {
  const code = await getCode(sandbox);
  const wrong = await redeem(sandbox, code, { code_verifier: 'wrong' });
  expect(await wrong.json()).toMatchObject({ error_description: expect.stringContaining('code verifier') });
  expect((await redeem(sandbox, code)).status).toBe(400);
});

test('another redirect address is refused', async () => {
  expect((await redeem(sandbox, await getCode(sandbox), { redirect_uri: 'http://evil.example/' })).status).toBe(400);
});

test('a wrong client secret is 401 unauthorized_client', async () => {
  const wrong = `Basic ${Buffer.from('sandbox-client:wrong').toString('base64')}`;
  const answer = await requestToken(sandbox, { grant_type: 'refresh_token', refresh_token: 'any' }, wrong);
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ error: 'unauthorized_client' });
});

test('refresh tokens rotate: the second use of one is refused', async () => {
  const { refresh_token } = await signIn(sandbox);
  const renewed = (await (await refresh(refresh_token)).json()) as { access_token: string; refresh_token: string };
  expect(renewed.refresh_token).not.toBe(refresh_token);
  expect((await refresh(refresh_token)).status).toBe(400);
  expect((await showMe(renewed.access_token)).status).toBe(200);
  expect((await refresh(renewed.refresh_token)).status).toBe(200);
});

test('access tokens live two hours, refresh tokens 180 days', async () => {
  const { access_token, refresh_token } = await signIn(sandbox);
  await control(sandbox, 'clock', { advanceSeconds: 7201 });
  expect((await showMe(access_token)).status).toBe(401);
  await control(sandbox, 'clock', { advanceSeconds: 180 * 86400 });
  expect((await refresh(refresh_token)).status).toBe(400);
});

test('revoking takes that token alone, and says so for unknown ones too', async () => {
  const { access_token, refresh_token } = await signIn(sandbox);
  const authorization = `Basic ${Buffer.from('sandbox-client:sandbox-secret').toString('base64')}`;
  const revoke = (token: string) => postForm(sandbox, '/2/oauth2/revoke', { token }, { authorization });
  expect(await (await revoke(access_token)).json()).toEqual({ revoked: true });
  expect(await (await revoke('unknown')).json()).toEqual({ revoked: true });
  expect((await showMe(access_token)).status).toBe(401);
  expect((await refresh(refresh_token)).status).toBe(200);
});

test('a person who withholds a scope grants the rest', async () => {
  await control(sandbox, 'personas/mayalindqvist', { withholds: ['tweet.write'] }, 'PATCH');
  expect((await signIn(sandbox)).scope).toBe('users.read tweet.read offline.access');
});

test('the log keeps no secret', async () => {
  const { access_token, refresh_token } = await signIn(sandbox);
  await showMe(access_token);
  await refresh(refresh_token);
  const log = await (await fetch(`${sandbox.url}/__sandbox/log`)).text();
  expect(log).toContain('/2/users/me');
  for (const secret of [access_token, refresh_token, 'sandbox-secret', 'some-state', 'SBX', 'U0JY'])
    expect(log).not.toContain(secret);
});
