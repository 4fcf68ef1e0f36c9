import { afterAll, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { createPool } from './pools.ts';
import { isCutOff, onStatementLost, queryPrepared } from './prepared.ts';
import { inTransaction } from './transaction.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test', poolMax: 1 });
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const SUM = 'select :a::int + :b::int as sum';

test('a connection keeps a statement and runs it with other values', async () => {
  expect(await queryPrepared(db, SUM, { a: 1, b: 2 })).toEqual([{ sum: 3 }]);
  expect(await queryPrepared(db, SUM, { a: 3, b: 4 })).toEqual([{ sum: 7 }]);
  const { rows } = await db.raw('select count(*)::int as kept from pg_prepared_statements where statement like ?', [
    '%as sum',
  ]);
  expect(rows).toEqual([{ kept: 1 }]);
});

test('a statement that its connection has lost still runs, as behind an old pooler', async () => {
  const other = createPool({ url: database.url, name: 'test', poolMax: 1 });
  await queryPrepared(other, SUM, { a: 1, b: 2 });
  await other.raw('deallocate all');
  expect(await queryPrepared(other, SUM, { a: 5, b: 6 })).toEqual([{ sum: 11 }]);
  expect(await queryPrepared(other, SUM, { a: 7, b: 8 })).toEqual([{ sum: 15 }]);
  await other.destroy();
});

test('a loss is reported once, and after a while statements are prepared again', async () => {
  const other = createPool({ url: database.url, name: 'test', poolMax: 1 });
  const losses: string[] = [];
  onStatementLost(other, (code) => losses.push(code));
  const countPrepared = async () => {
    const { rows } = await other.raw('select count(*)::int as count from pg_prepared_statements');
    return rows[0].count;
  };
  await queryPrepared(other, SUM, { a: 1, b: 2 });
  await other.raw('deallocate all');
  await queryPrepared(other, SUM, { a: 1, b: 2 });
  await queryPrepared(other, SUM, { a: 1, b: 2 });
  expect([losses, await countPrepared()]).toEqual([['26000'], 0]);
  const now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now + 10 * 60_000);
  expect(await queryPrepared(other, SUM, { a: 3, b: 4 })).toEqual([{ sum: 7 }]);
  vi.restoreAllMocks();
  expect([losses, await countPrepared()]).toEqual([['26000'], 1]);
  await other.destroy();
});

test('a transaction that fails for a lost statement runs again without prepared statements', async () => {
  const other = createPool({ url: database.url, name: 'test', poolMax: 1 });
  await queryPrepared(other, SUM, { a: 1, b: 2 });
  await other.raw('deallocate all');
  let tries = 0;
  const rows = await inTransaction(other, (outer) =>
    inTransaction(outer, (trx) => {
      tries++;
      return queryPrepared(trx, SUM, { a: 5, b: 6 });
    }),
  );
  expect([rows, tries]).toEqual([[{ sum: 11 }], 2]);
  expect(await queryPrepared(other, SUM, { a: 7, b: 8 })).toEqual([{ sum: 15 }]);
  await other.destroy();
});

test('the statements of a running server survive a migration that changes the type of a column', async () => {
  const other = createPool({ url: database.url, name: 'test', poolMax: 1 });
  await other.raw('create table changing (size int); insert into changing values (1)');
  const read = () => queryPrepared(other, 'select size from changing where size < :max', { max: 9 });
  expect(await read()).toEqual([{ size: 1 }]);
  await other.raw('alter table changing alter size type bigint');
  expect(await read()).toEqual([{ size: '1' }]);
  await other.destroy();
});

test('an error of the statement itself is thrown', async () => {
  await expect(queryPrepared(db, 'select 1 / :zero::int', { zero: 0 })).rejects.toMatchObject({ code: '22012' });
});

test('a statement that takes too long is cancelled in PostgreSQL too, and the connection stays usable', async () => {
  const slow = queryPrepared(db, 'select pg_sleep(:seconds::float)', { seconds: 600 }, { cutOffMs: 50 });
  const error = await slow.catch((thrown: unknown) => thrown);
  expect(isCutOff(error)).toBe(true);
  expect(await queryPrepared(db, SUM, { a: 1, b: 1 })).toEqual([{ sum: 2 }]);
  const { rows } = await db.raw(
    "select 1 from pg_stat_activity where query like 'select pg_sleep%' and state = 'active' and datname = current_database()",
  );
  expect(rows).toEqual([]);
  expect(isCutOff(new Error('other'))).toBe(false);
});
