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
const titles = ({ json }: { json: Buffer }) => JSON.parse(json.toString()).map(({ title }: { title: string }) => title);

test('requests of the same moment share one query, each gets its ads in its order', async () => {
  const fragments = createAdJsonCache();
  const lists = [ids.slice(0, 3), ids.slice(1).toReversed(), [ids[4]!, ids[0]!]];
  expect((await Promise.all(lists.map((list) => fragments.toJson(db, list)))).map(titles)).toEqual([
    ['Ad 0', 'Ad 1', 'Ad 2'],
    ['Ad 4', 'Ad 3', 'Ad 2', 'Ad 1'],
    ['Ad 4', 'Ad 0'],
  ]);
  expect(queries).toBe(1);
  await fragments.toJson(db, ids);
  expect(queries).toBe(1);
});

test('a change is seen after clear, also by what was being read meanwhile', async () => {
  const fragments = createAdJsonCache(60_000);
  const before = fragments.toJson(db, [ids[0]!]);
  await new Promise((resolve) => db.once('query', resolve));
  fragments.clear();
  await before;
  await db('ads').where({ id: ids[0] }).update({ title: 'New title' });
  expect(titles(await fragments.toJson(db, [ids[0]!]))).toEqual(['New title']);
});

test('what does not exist is left out, and a failed query is tried again by the next request', async () => {
  const fragments = createAdJsonCache();
  expect(titles(await fragments.toJson(db, ['1', ids[1]!]))).toEqual(['Ad 1']);
  await expect(fragments.toJson(db, ['no id'])).rejects.toThrow();
  expect(titles(await fragments.toJson(db, [ids[2]!]))).toEqual(['Ad 2']);
});
