import { beforeAll, expect, test } from 'vitest';
import { createAd } from '../../../contract/ads.ts';
import { getProfile } from '../../../contract/users.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { timeAnswers } from './answer-times.ts';

const site = await openTestApp({ env: { RATE_LIMIT_SCALE: '1000' } });
const { app, anonymous } = site;

beforeAll(() => insertCategories(app));

/** A seller whom one person after the other wrote, the last one first; they answered after so many minutes, or never. */
const createSeller = async (minutes: readonly (number | null)[]) => {
  const seller = await insertUser(app);
  const client = await site.signIn(seller.id);
  const ad = await client.ok(createAd, { body: adBody() });
  for (const [hoursAgo, after] of [...minutes.entries()].toReversed()) {
    const buyer = await insertUser(app);
    const at = new Date(Date.now() - (hoursAgo + 20) * 3_600_000);
    const people = { ad_id: ad.id, seller_id: seller.id, buyer_id: buyer.id };
    const [{ id }] = await app
      .db('conversations')
      .insert({ ...people, created_at: at })
      .returning('id');
    const write = (sender_id: string, receiver_id: string, created_at: Date) =>
      app
        .db('messages')
        .insert({ conversation_id: id, ad_id: ad.id, sender_id, receiver_id, content: 'x', created_at })
        .returning('id');
    let [last] = await write(buyer.id, seller.id, at);
    if (after !== null) {
      [last] = await write(seller.id, buyer.id, new Date(at.valueOf() + after * 60_000));
      // only the first answer counts
      [last] = await write(seller.id, buyer.id, new Date(at.valueOf() + 1100 * 60_000));
    }
    await app.db('conversations').where({ id }).update({ last_message_id: last.id, message_count: 2 });
  }
  return seller;
};

const read = async ({ username }: { username: string | null }) =>
  (await anonymous.ok(getProfile, { params: { username: username! } })).user.answerMinutes;

test.each([
  ['of fewer than five answers nothing is said', [1, 1, 1, 1, null, null], undefined],
  ['it is the median, and who was never answered does not count', [10, 90.5, null, 500, 20, 600], 91],
  ['the last twenty answers count', [...Array(20).fill(7), ...Array(15).fill(900)], 7],
])('%s', async (_, minutes, expected) => {
  const seller = await createSeller(minutes);
  await timeAnswers(app, AbortSignal.timeout(60_000));
  expect(await read(seller)).toBe(expected);
});

test('who did not write for two days keeps their time, and a deleted account has none', async () => {
  const [silent, deleted] = [await createSeller(Array(5).fill(60)), await createSeller(Array(5).fill(60))];
  await timeAnswers(app, AbortSignal.timeout(60_000));
  await app.db('users').where({ id: silent.id }).update({ answer_minutes: 3 });
  await app
    .db('messages')
    .where({ sender_id: silent.id })
    .update({ created_at: app.db.raw("now() - interval '3 days'") });
  await app.db('users').where({ id: deleted.id }).update({ deleted_at: app.db.fn.now(), answer_minutes: null });
  await timeAnswers(app, AbortSignal.timeout(60_000));
  expect(await app.db('users').whereIn('id', [silent.id, deleted.id]).orderBy('id').pluck('answer_minutes')).toEqual([
    3,
    null,
  ]);
});
