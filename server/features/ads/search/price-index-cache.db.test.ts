import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../../test/harness/factories.ts';
import { createPool } from '../../../db/pools.ts';
import { findPageIn, readPriceIndex } from './price-index.ts';
import { createPriceIndexCache } from './price-index-cache.ts';
import type { ListFilter } from './query-builder.ts';
import { findPage, type PageRequest } from './repository.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test' });
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const ADS = 3000;
const HOUR = 3_600_000;
/** Lists asked for before a lesson is read. */
const BUSY = 3;

/** Prices with and without cents, many alike; one ad in ten hidden; categories of every size. */
beforeAll(async () => {
  await insertCategories({ db });
  const { id: userId } = await insertUser({ db });
  await db.raw(
    `insert into ads (user_id, category_id, title, description, price, state)
     select ?, 1 + floor(power(random(), 3) * 4), 'Ad', 'x',
       round((power(random(), 4) * 1000)::numeric, (random() * 2)::int),
       case when random() < 0.1 then 'inactive' else 'active' end
     from generate_series(1, ?)`,
    [userId, ADS],
  );
  await db.raw('analyze ads');
});

const pick = <T>(...options: T[]): T => options[Math.floor(Math.random() * options.length)]!;
const randomPrice = () => (Math.random() ** 4 * 1000).toFixed(pick(0, 1, 2));

/** Ends are prices that ads have, that none has, or missing; narrow and wide ranges. */
function randomRange(prices: readonly string[]): ListFilter {
  const low = pick(randomPrice(), pick(...prices), '', undefined);
  const high = pick(randomPrice(), low || '1', String(Number(low || 0) * 2), '', undefined);
  return low || high ? { minPrice: low, maxPrice: high } : { minPrice: '1' };
}

const randomPage = (ids: readonly string[]): PageRequest => ({
  limit: pick(undefined, undefined, 1, 100),
  cursor: pick(undefined, undefined, pick(...ids), '1', '9223372036854775807', 'no cursor'),
});

test('a page in a lesson is the page that Postgres finds, its total too, or it is left to Postgres', async () => {
  const [ids, prices]: string[][] = [await db('ads').pluck('id'), await db('ads').pluck('price')];
  const outcomes = { same: 0, left: 0 };
  for (const size of [ADS * 2, 1500, 100])
    for (const categoryId of [undefined, 1, 2, 3, 4, 25]) {
      const lesson = await readPriceIndex(db, categoryId, size);
      for (let n = 0; n < 25; n++) {
        const [filter, asked] = [{ categoryId, ...randomRange(prices!) }, randomPage(ids!)];
        const found = findPageIn(lesson, filter, asked);
        if (found)
          expect({ filter, asked, ...found }).toEqual({ filter, asked, ...(await findPage(db, filter, asked)) });
        outcomes[found ? 'same' : 'left']++;
        if (size > ADS) expect(found).toBeDefined();
      }
    }
  expect(Math.min(outcomes.same, outcomes.left)).toBeGreaterThan(0);
});

const WIDE = { minPrice: '0', maxPrice: '1000' };

/** What `work` asks the database, by whether it reads a lesson. */
async function countQueries(work: () => Promise<unknown>) {
  const asked = { lessons: 0, pages: 0 };
  const count = ({ sql }: { sql: string }) => asked[sql.includes('int8send') ? 'lessons' : 'pages']++;
  db.on('query', count);
  await work();
  db.off('query', count);
  return asked;
}

const askTimes = async (pages: ReturnType<typeof createPriceIndexCache>, times: number, filter: ListFilter = WIDE) => {
  for (let n = 0; n < times; n++) await pages.find(db, filter, {});
};

test('few lists are left to Postgres; of many a lesson is read once, in each category', async () => {
  const pages = createPriceIndexCache({ milliseconds: HOUR, busy: BUSY });
  expect(await countQueries(() => askTimes(pages, BUSY))).toEqual({ lessons: 0, pages: BUSY });
  expect(await countQueries(() => Promise.all([askTimes(pages, 5), askTimes(pages, 5)]))).toEqual({
    lessons: 1,
    pages: 0,
  });
  const inCategory = () => askTimes(pages, BUSY + 2, { ...WIDE, categoryId: 1 });
  expect(await countQueries(inCategory)).toEqual({ lessons: 1, pages: BUSY });
});

test('a change is seen after clear', async () => {
  const pages = createPriceIndexCache({ milliseconds: HOUR, busy: 0 });
  const [newest] = (await pages.find(db, WIDE, {})).ids;
  await db('ads').where({ id: newest }).update({ state: 'inactive' });
  expect((await pages.find(db, WIDE, {})).ids).toContain(newest);
  pages.clear();
  expect((await pages.find(db, WIDE, {})).ids).not.toContain(newest);
});

test('what was read runs out after its time, which a page tells', async () => {
  const pages = createPriceIndexCache({ milliseconds: 0, busy: 0 });
  const before = performance.now();
  const { asOf, ids } = await pages.find(db, WIDE, {});
  expect(asOf).toBeGreaterThanOrEqual(before);
  await db('ads').where({ id: ids[0] }).update({ state: 'inactive' });
  expect((await pages.find(db, WIDE, {})).ids).not.toContain(ids[0]);
});

test('lists by words or by nothing are none of its business', async () => {
  const pages = createPriceIndexCache({ milliseconds: HOUR, busy: 0 });
  const others = [{}, { categoryId: 1 }, { ...WIDE, query: "'ad'" }];
  const work = () => Promise.all(others.map((filter) => askTimes(pages, 2, filter)));
  expect(await countQueries(work)).toEqual({ lessons: 0, pages: 6 });
});

test('a lesson that takes longer than its time is not begun anew: other lists are left to Postgres', async () => {
  const pages = createPriceIndexCache({ milliseconds: 0, busy: 0 });
  const atOnce = () => Promise.all([askTimes(pages, 1), askTimes(pages, 1), askTimes(pages, 1)]);
  expect(await countQueries(atOnce)).toEqual({ lessons: 1, pages: 2 });
  expect(await countQueries(atOnce)).toEqual({ lessons: 1, pages: 2 });
});

test('a lesson that cannot be read leaves the lists that waited for it to Postgres', async () => {
  const pages = createPriceIndexCache({ milliseconds: HOUR, busy: 0 });
  const raw = (sql: string) =>
    sql.includes('int8send') ? { options: () => Promise.reject(new Error('took too long')) } : db.raw(sql);
  const slow = new Proxy(db, { get: (target, key) => (key === 'raw' ? raw : Reflect.get(target, key)) });
  const found = await Promise.all([pages.find(slow, WIDE, {}), pages.find(slow, WIDE, {})]);
  const { asOf: _now, ...page } = found[0]!;
  expect(page).toEqual(await findPage(db, WIDE, {}));
  expect(found[1]).toMatchObject(page);
});
