import { beforeAll, describe, expect, test } from 'vitest';
import { down, up } from '../../migrations/20261125234500_ad_moderation.ts';
import { up as fill } from '../../migrations/20261125234510_fill_ad_moderation.ts';
import { MODERATION_STATES, readModeration } from '../../server/features/ads/moderation-states.ts';
import { openTestApp } from '../harness/app.ts';
import { insertCategories, insertUser } from '../harness/factories.ts';

const { app } = await openTestApp();
const { db } = app;
beforeAll(() => insertCategories(app));

const STATES = ['active', 'expired', 'pending', 'inactive', 'deleted'] as const;
const BOOLEANS = [false, true];
/** Every combination of the columns that encoded the status, each also with a seller who is shut out. */
const COMBINATIONS = STATES.flatMap((state) =>
  BOOLEANS.flatMap((taken_down) =>
    BOOLEANS.flatMap((is_approved) =>
      [null, 'A reason'].flatMap((state_reason) =>
        BOOLEANS.map((seller_banned) => ({ state, taken_down, is_approved, state_reason, seller_banned })),
      ),
    ),
  ),
);

const insertAds = async (rows: readonly { state: string }[]): Promise<string[]> => {
  const { id: user_id } = await insertUser(app);
  const { id: category_id } = await db('categories').first('id');
  const ad = { user_id, category_id, title: 'Kettle', description: '', price: 1 };
  const deleted_at = ({ state }: { state: string }) => (state === 'deleted' ? db.fn.now() : null);
  return db('ads')
    .insert(rows.map((row) => ({ ...ad, ...row, deleted_at: deleted_at(row) })) as object[])
    .returning('id')
    .then((inserted: { id: string }[]) => inserted.map(({ id }) => id));
};
const readAds = (ids: readonly string[]) =>
  db('ads')
    .whereIn('id', [...ids])
    .orderBy('id');
const PUBLIC = ['id', 'state', 'state_reason', 'is_approved', 'seller_banned', 'listed', 'updated_at'];
const pick = (row: Record<string, unknown>) => Object.fromEntries(PUBLIC.map((key) => [key, row[key]]));

describe('an upgrade of a filled database', () => {
  let ids: string[];
  let before: Record<string, unknown>[];
  const listed = () => db('listed_ads').orderBy('id').pluck('id');
  let publicBefore: string[];
  beforeAll(async () => {
    await down(db);
    ids = await insertAds(COMBINATIONS);
    before = await readAds(ids);
    publicBefore = await listed();
    await up(db);
  });

  test('gives every combination its status, and changes nothing that people see', async () => {
    await fill(db);
    // a migration that was killed runs again
    await fill(db);
    const after = await readAds(ids);
    expect(after.map(pick)).toEqual(before.map(pick));
    expect(await listed()).toEqual(publicBefore);
    expect(after.map(({ moderation }) => moderation)).toEqual(
      COMBINATIONS.map(({ state, taken_down }) => readModeration(state, taken_down)),
    );
  });
});

test.each(COMBINATIONS.filter(({ state }) => state !== 'deleted'))(
  'the previous release writes %o, and the status follows',
  async ({ seller_banned: _, ...columns }) => {
    const [inserted, updated] = await insertAds([columns, { state: 'active' }]);
    await db('ads').where({ id: updated }).update(columns);
    const moderation = readModeration(columns.state, columns.taken_down);
    const listed = columns.state === 'active';
    const expected = { ...columns, moderation, listed };
    expect(await readAds([inserted!, updated!])).toMatchObject([expected, expected]);
  },
);

const FORMER = {
  clear: { state: 'active', taken_down: false, listed: true },
  pending: { state: 'pending', taken_down: false, listed: false },
  held: { state: 'pending', taken_down: true, listed: false },
  removed: { state: 'inactive', taken_down: true, listed: false },
} as const;

describe.each(MODERATION_STATES)('this release writes the status after %s', (from) => {
  test.each(MODERATION_STATES)('%s, and the previous release reads it', async (moderation) => {
    const [id] = await insertAds([{ state: 'active', moderation: from } as never]);
    expect(await readAds([id!])).toMatchObject([{ moderation: from, ...FORMER[from] }]);
    await db('ads').where({ id }).update({ moderation });
    expect(await readAds([id!])).toMatchObject([{ moderation, ...FORMER[moderation] }]);
  });
});

test('an expired ad that was held is expired again, and a deleted one stays deleted', async () => {
  const [id] = await insertAds([{ state: 'expired' }]);
  await db('ads').where({ id }).update({ moderation: 'held' });
  await db('ads').where({ id }).update({ moderation: 'clear', state: 'expired' });
  expect(await readAds([id!])).toMatchObject([{ moderation: 'clear', state: 'expired', listed: false }]);
  await db('ads').where({ id }).update({ moderation: 'held' });
  await db('ads').where({ id }).update({ state: 'deleted', deleted_at: db.fn.now() });
  expect(await readAds([id!])).toMatchObject([{ moderation: 'held', state: 'deleted', listed: false }]);
});
