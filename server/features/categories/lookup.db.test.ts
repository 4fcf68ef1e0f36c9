import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories } from '../../../test/harness/factories.ts';
import { createPool } from '../../db/pools.ts';
import { createCategoryLookup } from './lookup.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test' });
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
await insertCategories({ db });
let queries = 0;
db.on('query', () => queries++);

test('asks once however often a category is named, and again after a change', async () => {
  const lookup = createCategoryLookup(60_000);
  const names = ['furniture', 'Furniture', 'FURNITURE'];
  const found = await Promise.all(names.map((name) => lookup.find(db, name)));
  expect(found.map((category) => category?.slug)).toEqual(['furniture', 'furniture', 'furniture']);
  await lookup.find(db, 'furniture');
  expect(queries).toBe(1);
  await db('categories').where({ slug: 'furniture' }).update({ is_disabled: true });
  expect((await lookup.find(db, 'furniture'))?.is_disabled).toBe(false);
  lookup.clear();
  expect((await lookup.find(db, 'furniture'))?.is_disabled).toBe(true);
});

test('a failure is not kept', async () => {
  const lookup = createCategoryLookup(60_000);
  await expect(lookup.find(db, 'nul\u0000')).rejects.toThrow();
  expect(await lookup.find(db, 'no such category')).toBeUndefined();
  expect((await lookup.find(db, 'books'))?.slug).toBe('books');
});
