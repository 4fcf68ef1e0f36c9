import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { control, signIn, startTestSimulator, TOM } from '../../test/harness/x-simulator.ts';
import type { XSimulator } from './server.ts';

let sandbox: XSimulator;
let token: string;
beforeAll(async () => {
  sandbox = await startTestSimulator();
});
afterAll(() => sandbox.close());
beforeEach(async () => {
  await control(sandbox, 'reset', {});
  token = (await signIn(sandbox)).access_token;
});

const call = (method: string, path: string, body?: unknown, bearer = token) =>
  fetch(sandbox.url + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const post = (text: string, bearer = token) => call('POST', '/2/tweets', { text }, bearer);

test('a post is made, shown in public, read and deleted by its author alone', async () => {
  const made = await post('For sale: a lamp <b>');
  const { data } = (await made.json()) as { data: { id: string } };
  expect(made.status).toBe(201);
  expect(await (await fetch(`${sandbox.url}/mayalindqvist`)).text()).toContain('For sale: a lamp &lt;b&gt;');
  expect((await call('GET', `/2/tweets/${data.id}`)).status).toBe(200);
  const stranger = (await signIn(sandbox, TOM)).access_token;
  expect((await call('DELETE', `/2/tweets/${data.id}`, undefined, stranger)).status).toBe(403);
  expect(await (await call('DELETE', `/2/tweets/${data.id}`)).json()).toEqual({ data: { deleted: true } });
  expect((await fetch(`${sandbox.url}/mayalindqvist/status/${data.id}`)).status).toBe(404);
});

test('the same text again is a duplicate, for the same person only', async () => {
  await post('Twice');
  const again = await post('Twice');
  expect(again.status).toBe(403);
  expect(await again.json()).toMatchObject({ detail: expect.stringContaining('duplicate content') });
  expect((await post('Twice', (await signIn(sandbox, TOM)).access_token)).status).toBe(201);
});

test.each([
  ['an empty text', { text: ' ' }, 400],
  ['281 characters', { text: 'a'.repeat(281) }, 400],
  ['141 wide characters', { text: '漢'.repeat(141) }, 400],
  ['an unknown key', { text: 'a', mood: 'good' }, 400],
  ['a reply', { text: 'a', reply: { in_reply_to_tweet_id: '1' } }, 403],
  ['two cashtags', { text: '$ABC $XYZ' }, 403],
])('%s is refused', async (_case, body, status) => {
  expect((await call('POST', '/2/tweets', body)).status).toBe(status);
  expect(sandbox.state.posts).toHaveLength(0);
});

test('a link weighs 23, however long', async () => {
  const link = `http://localhost:8080/ads/${'1'.repeat(300)}`;
  expect((await post(`${'a'.repeat(256)} ${link}`)).status).toBe(201);
  expect((await post(`${'b'.repeat(257)} ${link}`)).status).toBe(400);
});

test('without tweet.write nothing is posted', async () => {
  const reader = await signIn(sandbox, TOM, 'users.read tweet.read');
  expect((await post('no', reader.access_token)).status).toBe(403);
});

test('limits answer 429 with the time of the reset', async () => {
  await control(sandbox, 'limits', { 'POST /2/tweets': 1 });
  const first = await post('one');
  expect(first.headers.get('x-rate-limit-remaining')).toBe('0');
  const second = await post('two');
  expect(second.status).toBe(429);
  expect(Number(second.headers.get('x-rate-limit-reset'))).toBeGreaterThan(Date.now() / 1000);
  await control(sandbox, 'clock', { advanceSeconds: 901 });
  expect((await post('two')).status).toBe(201);
});

test('credits run out: posts with a link cost more', async () => {
  await control(sandbox, 'credits', { dollars: 0.1 });
  expect((await post('see http://localhost:8080/ads/1')).status).toBe(402);
  expect((await post('plain')).status).toBe(201);
  expect(sandbox.state.spend).toBeCloseTo(0.015);
});

test.each([
  ['suspended', 403, 'user-suspended'],
  ['locked', 403, '326'],
  ['deleted', 401, 'Unauthorized'],
])('a %s account cannot post', async (status, code, word) => {
  await control(sandbox, 'personas/mayalindqvist', { status }, 'PATCH');
  const answer = await post('no');
  expect(answer.status).toBe(code);
  expect(await answer.text()).toContain(word);
});

test('an answer dropped after the work leaves the post', async () => {
  await control(sandbox, 'faults', { kind: 'drop-after', path: '/2/tweets' });
  await expect(post('lost')).rejects.toThrow();
  expect(sandbox.state.posts.map((p) => p.text)).toEqual(['lost']);
  expect((await post('next')).status).toBe(201);
});

test('a request dropped before the work leaves nothing', async () => {
  await control(sandbox, 'faults', { kind: 'drop-before', path: '/2/tweets' });
  await expect(post('lost')).rejects.toThrow();
  expect(sandbox.state.posts).toHaveLength(0);
});

test('a person takes the access away under connected apps', async () => {
  const cookie = 'sandbox_persona=2244994945';
  const shown = await fetch(`${sandbox.url}/settings/connected_apps`, { headers: { cookie } });
  expect(await shown.text()).toContain('Post and delete posts for you');
  await fetch(`${sandbox.url}/settings/connected_apps`, { method: 'POST', headers: { cookie } });
  expect((await post('no')).status).toBe(401);
});

test('the composer posts what the person leaves in it', async () => {
  const cookie = 'sandbox_persona=1488016301';
  const page = await fetch(`${sandbox.url}/intent/tweet?text=A%20lamp&url=http%3A%2F%2Flocalhost%2Fads%2F1`, {
    headers: { cookie },
  });
  expect(await page.text()).toContain('A lamp\nhttp://localhost/ads/1</textarea>');
  const body = new URLSearchParams({ text: 'A lamp, mine' });
  await fetch(`${sandbox.url}/intent/tweet`, { method: 'POST', headers: { cookie }, body });
  expect(sandbox.state.posts).toMatchObject([{ text: 'A lamp, mine', userId: TOM, via: 'composer' }]);
});
