import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { createPool } from '../../db/pools.ts';
import { createAdJsonCache } from './ad-json-cache.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test' });
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
await insertCategories({ db });
const { id: userId } = await insertUser({ db });
const rows = Array.from({ length: 5 }, (_, i) => ({
  user_id: userId,
  category_id: 1,
  title: `Ad ${i}`,
  description: 'x',
  price: i,
}));
const ids: string[] = (await db('ads').insert(rows).returning<{ id: string }[]>('id')).map(({ id }) => id);
let queries = 0;
db.on('query', () => queries++);
const titles = (json: Buffer) => JSON.parse(json.toString()).map(({ title }: { title: string }) => title);

test('lists share the ads they have in common, each in its own order', async () => {
  const fragments = createAdJsonCache(60_000);
  const lists = [ids.slice(0, 3), ids.slice(1).toReversed(), [ids[4]!, ids[0]!]];
  const found: string[][] = [];
  for (const list of lists) found.push(titles(await fragments.toJson(db, list)));
  expect(found).toEqual([
    ['Ad 0', 'Ad 1', 'Ad 2'],
    ['Ad 4', 'Ad 3', 'Ad 2', 'Ad 1'],
    ['Ad 4', 'Ad 0'],
  ]);
  expect(queries).toBe(2);
  await fragments.toJson(db, ids);
  expect(queries).toBe(2);
});

test('a change is seen once the entries have expired, and at once without a cache', async () => {
  const fragments = createAdJsonCache(100);
  await fragments.toJson(db, [ids[0]!]);
  await db('ads').where({ id: ids[0] }).update({ title: 'New title' });
  expect(titles(await createAdJsonCache().toJson(db, [ids[0]!]))).toEqual(['New title']);
  await expect.poll(async () => titles(await fragments.toJson(db, [ids[0]!]))).toEqual(['New title']);
});

test('what does not exist is left out, and a failed query is tried again by the next request', async () => {
  const fragments = createAdJsonCache();
  expect(titles(await fragments.toJson(db, ['1', ids[1]!]))).toEqual(['Ad 1']);
  await expect(fragments.toJson(db, ['no id'])).rejects.toThrow();
  expect(titles(await fragments.toJson(db, [ids[2]!]))).toEqual(['Ad 2']);
});
