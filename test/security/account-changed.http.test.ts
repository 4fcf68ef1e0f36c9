import { expect, test } from 'vitest';
import { createAd, getAd } from '../../contract/ads.ts';
import { sendContact } from '../../contract/contact.ts';
import type { EndpointSpec } from '../../contract/endpoint.ts';
import { toggleFavorite } from '../../contract/favorites.ts';
import { endpoints } from '../../contract/index.ts';
import { openTestApp } from '../harness/app.ts';
import { adBody, insertCategories, insertUser } from '../harness/factories.ts';

/*
 * A page shows Anna; another tab has signed in Bert since. The page names Anna in X-User-Id, the cookie is Bert's.
 */
const { app, anonymous, signIn } = await openTestApp({ env: { RATE_LIMIT_SCALE: '0' } });
await insertCategories(app);
const anna = (await insertUser(app)).id;
const bertId = (await insertUser(app, { role: 'admin' })).id;
const bert = await signIn(bertId);
const seller = await signIn((await insertUser(app)).id);

const paths = endpoints.filter(({ spec }) => spec.oneClick !== true);
/** The same response for everybody shows nothing of Bert. */
const personal = paths.filter(({ spec }) => spec.method !== 'GET' || !spec.shared);

const pathOf = ({ path, events }: EndpointSpec, userId: string) =>
  path.replace(/:\w+/g, '1') + (events ? `?userId=${userId}` : '');

async function call(client: typeof bert, spec: EndpointSpec, userId: string) {
  const body = spec.method === 'GET' ? undefined : 'not json';
  const headers = { 'X-User-Id': userId };
  const { status, body: reply } = await client.send(pathOf(spec, userId), { method: spec.method, headers, body });
  return [status, reply?.code];
}

test.each(personal.map(({ name, spec }) => [name, spec] as const))('%s refuses another account', async (name, spec) => {
  for (const shown of [anna, '', 'x']) expect(await call(bert, spec, shown)).toEqual([409, 'account_changed']);
  const signedOut = spec.access === 'public' ? [409, 'account_changed'] : [401, 'unauthenticated'];
  expect(await call(anonymous, spec, anna)).toEqual(signedOut);
  // These end the session.
  if (['logout', 'deleteMe'].includes(name)) return;
  for (const [client, own] of [
    [bert, bertId],
    [anonymous, ''],
  ] as const)
    expect((await call(client, spec, own))[1]).not.toBe('account_changed');
});

test('a favorite of the page of Anna is not saved for Bert, and one without the header is', async () => {
  const ad = await seller.ok(createAd, { body: adBody() });
  const params = { id: ad.id };
  const toggle = (headers = {}) => bert.call(toggleFavorite, { params, headers });
  const count = async () => Number((await app.db('favorites').count())[0]?.count);
  const { status, body } = await toggle({ 'X-User-Id': anna });
  expect([status, body.message]).toEqual([409, 'Another account is signed in now. Reload the page.']);
  expect(await count()).toBe(0);
  expect([(await toggle({ 'X-User-Id': bertId })).status, await count()]).toEqual([200, 1]);
  expect([(await toggle()).status, await count()]).toEqual([200, 0]);
});

test('an idempotency key of a refused request is still unused', async () => {
  const body = { name: 'A', email: 'a@b.example', subject: 'S', message: 'M' };
  const send = (userId: string) =>
    bert.call(sendContact, { body, headers: { 'X-User-Id': userId, 'Idempotency-Key': 'key-of-anna-1' } });
  expect((await send(anna)).status).toBe(409);
  const { status, headers } = await send(bertId);
  expect([status, headers.get('idempotent-replayed')]).toEqual([202, null]);
});

test('what is public is read from the cache whoever is signed in', async () => {
  const ad = await seller.ok(createAd, { body: adBody() });
  const { status } = await anonymous.call(getAd, { params: { id: ad.id }, headers: { 'X-User-Id': anna } });
  expect(status).toBe(200);
});
