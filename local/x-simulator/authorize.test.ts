import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  authorizeUrl,
  CALLBACK,
  control,
  MAYA,
  postForm,
  startTestSimulator,
  TOM,
} from '../../test/harness/x-simulator.ts';
import type { XSimulator } from './server.ts';

let sandbox: XSimulator;
beforeAll(async () => {
  sandbox = await startTestSimulator();
});
afterAll(() => sandbox.close());
beforeEach(() => control(sandbox, 'reset', {}));

const visit = (url: string, cookie = '') => fetch(url, { headers: { cookie }, redirect: 'manual' });
const openConsent = async (persona = MAYA) => {
  const page = await (await visit(authorizeUrl(sandbox), `sandbox_persona=${persona}`)).text();
  return { page, consent: /name="consent" value="(\w+)"/.exec(page)?.[1] ?? '' };
};

test('a browser that X does not know picks an account, and X remembers it', async () => {
  const page = await visit(authorizeUrl(sandbox));
  const text = await page.text();
  expect(page.status).toBe(200);
  expect(text).toContain('Maya Lindqvist');
  const next = new URL(authorizeUrl(sandbox)).pathname + new URL(authorizeUrl(sandbox)).search;
  const picked = await postForm(sandbox, '/i/account', { persona: TOM, next });
  expect(picked.headers.get('location')).toBe(next);
  const consent = await visit(authorizeUrl(sandbox), picked.headers.get('set-cookie')?.split(';')[0]);
  expect(await consent.text()).toContain('@tomokafor');
});

test('the consent page names the app, the account and each scope in words', async () => {
  const { page } = await openConsent();
  expect(page).toContain('Tradepost wants to access your account');
  expect(page).toContain('@mayalindqvist');
  expect(page).toContain('Post and delete posts for you');
  expect(page).toContain('X SANDBOX — not X');
});

test('Authorize goes back with code and state, once', async () => {
  const { consent } = await openConsent();
  const answer = await postForm(sandbox, '/i/oauth2/authorize', { consent, decision: 'authorize' });
  const to = new URL(answer.headers.get('location') ?? '');
  expect(to.origin + to.pathname).toBe(CALLBACK);
  expect(to.searchParams.get('state')).toBe('some-state');
  expect(to.searchParams.get('code')).toHaveLength(91);
  const again = await postForm(sandbox, '/i/oauth2/authorize', { consent, decision: 'authorize' });
  expect(again.status).toBe(400);
});

test('Cancel goes back with access_denied and state', async () => {
  const { consent } = await openConsent();
  const answer = await postForm(sandbox, '/i/oauth2/authorize', { consent, decision: 'cancel' });
  expect(answer.headers.get('location')).toBe(`${CALLBACK}?state=some-state&error=access_denied`);
});

test('a decision without the secret of a consent page does nothing', async () => {
  await openConsent();
  const answer = await postForm(sandbox, '/i/oauth2/authorize', { consent: 'guessed', decision: 'authorize' });
  expect(answer.status).toBe(400);
  expect(sandbox.state.codes).toHaveLength(0);
});

test.each([
  ['an unknown client', { client_id: 'other' }],
  ['another redirect address', { redirect_uri: `${CALLBACK}/` }],
  ['another response type', { response_type: 'token' }],
  ['no PKCE', { code_challenge: undefined }],
  ['an unknown scope', { scope: 'users.read root' }],
  ['no state', { state: undefined }],
])("%s gets X's own error page and no redirect", async (_case, changes) => {
  const answer = await visit(authorizeUrl(sandbox, changes), `sandbox_persona=${MAYA}`);
  expect(answer.status).toBe(400);
  expect(answer.headers.get('location')).toBeNull();
  expect(await answer.text()).toContain('Something went wrong');
});

test('a suspended account cannot authorize an app', async () => {
  await control(sandbox, `personas/${MAYA}`, { status: 'suspended' }, 'PATCH');
  expect((await openConsent()).page).toContain('is suspended');
});
