import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';

const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
};

test('a test database is migrated, is seen by no other test, and is gone when dropped', async () => {
  const [mine, yours] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await query(mine.url, 'create table only_mine ()');
  expect(await query(mine.url, "select to_regclass('ads')::text as ads")).toEqual([{ ads: 'ads' }]);
  expect(await query(yours.url, "select to_regclass('only_mine') as mine")).toEqual([{ mine: null }]);
  await Promise.all([mine.drop(), yours.drop()]);
  await expect(query(mine.url, 'select 1')).rejects.toThrow('does not exist');
});
