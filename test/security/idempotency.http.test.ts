import { beforeAll, describe, expect, test } from 'vitest';
import { createAd } from '../../contract/ads.ts';
import { sendMessage } from '../../contract/messages.ts';
import { openTestApp } from '../harness/app.ts';
import type { Client } from '../harness/client.ts';
import { adBody, insertCategories, insertUser } from '../harness/factories.ts';

const { app, signIn } = await openTestApp();
let user: Client;
let other: Client;
beforeAll(async () => {
  await insertCategories(app);
  user = await signIn((await insertUser(app)).id);
  other = await signIn((await insertUser(app)).id);
});

let serial = 0;
const freshKey = () => `key-${serial++}-0123456789`;
const post = (client: Client, body: object, key: string) =>
  client.send('/api/ads', { method: 'POST', body, headers: { 'Idempotency-Key': key } });
const countAds = async () => Number((await app.db('ads').count())[0]?.count);

test('the same key again answers the same and writes nothing', async () => {
  const [key, body] = [freshKey(), adBody()];
  const first = await post(user, body, key);
  const before = await countAds();
  const again = await post(user, body, key);
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await countAds()).toBe(before);
});

test('twenty requests at once make one ad; early repetitions get "try again"', async () => {
  const [key, body, before] = [freshKey(), adBody(), await countAds()];
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(user, body, key)));
  for (const { status, body } of answers) expect([201, 409]).toContain(status ?? body);
  for (const { body } of answers.filter(({ status }) => status === 409))
    expect(body.code).toBe('idempotency_in_progress');
  const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
  expect([ids.size, (await countAds()) - before]).toEqual([1, 1]);
  expect((await post(user, body, key)).status).toBe(201);
});

test('the key with another body is 422', async () => {
  const key = freshKey();
  await post(user, adBody(), key);
  const { status, body } = await post(user, adBody(), key);
  expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
});

test("another person's key is their own business", async () => {
  const [key, body] = [freshKey(), adBody()];
  const [mine, theirs] = [await post(user, body, key), await post(other, body, key)];
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(mine.body.userId).not.toBe(theirs.body.userId);
});

test('a refused call keeps no key: corrected, it goes through', async () => {
  const key = freshKey();
  expect((await post(user, adBody({ category: 'nonsense' }), key)).status).toBe(400);
  expect((await post(user, adBody(), key)).status).toBe(201);
});

test('a write whose reply to COMMIT was lost is there once, and the retry gets its answer', async () => {
  const [key, body, before] = [freshKey(), adBody(), await countAds()];
  const { transaction } = app.db;
  const replace = (value: unknown) => Object.defineProperty(app.db, 'transaction', { value, configurable: true });
  // The commit succeeds but its confirmation is lost.
  replace(async (work: never) => {
    await transaction.call(app.db, work);
    throw new Error('Connection terminated unexpectedly');
  });
  const lost = await post(user, body, key);
  replace(transaction);
  expect([lost.status, lost.body.code]).toEqual([503, 'database_unavailable']);
  const retry = await post(user, body, key);
  expect([retry.status, retry.body.title]).toEqual([201, body.title]);
  expect((await countAds()) - before).toBe(1);
});

describe.each(['', 'short', 'has blank inside', 'x'.repeat(201), 'ünïcode-key', '"unclosed-quote'])(
  'the key %j',
  (key) => {
    test('is refused, or counts as none when empty', async () => {
      const answer = await post(
        user,
        adBody(),
        encodeURI(key).includes('%C3') ? Buffer.from(key).toString('latin1') : key,
      );
      expect(answer.status).toBe(key === '' ? 201 : 400);
      if (answer.status === 400) expect(answer.body.code).toBe('invalid_idempotency_key');
    });
  },
);

test('without a key each call counts', async () => {
  const { id: adId, userId: receiverId } = await other.ok(createAd, { body: adBody() });
  const body = { adId, receiverId, content: 'Hello' };
  await user.ok(sendMessage, { body });
  await user.ok(sendMessage, { body });
  expect(await app.db('messages').where({ ad_id: adId })).toHaveLength(2);
});
