import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { createPool, type Db } from './pools.ts';
import { inTransaction, setStatementTimeout, withDatabase } from './transaction.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test' });
await db.raw('create table kept (n int unique, later int unique deferrable initially deferred)');

beforeEach(() => db.raw('truncate kept'));
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const keep = async (trx: Db, n: number, later = n): Promise<number> => {
  const { rows } = await trx.raw<{ rows: { n: number }[] }>(`insert into kept values (${n}, ${later}) returning n`);
  return rows[0]!.n;
};
const listKept = (): Promise<number[]> => db('kept').orderBy('n').pluck('n');

test('a transaction returns the result of its work once it is committed', async () => {
  const seen = await inTransaction(db, async (trx) => {
    await keep(trx, 1);
    return (await keep(trx, 2)) + 40;
  });
  expect([seen, await listKept()]).toEqual([42, [1, 2]]);
});

test('a statement that fails undoes everything', async () => {
  const failed = inTransaction(db, async (trx) => {
    await keep(trx, 1);
    await keep(trx, 1);
  });
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  expect(await listKept()).toEqual([]);
});

test('an error of the work undoes everything', async () => {
  const failed = inTransaction(db, async (trx) => {
    await keep(trx, 1);
    throw new Error('not sent');
  });
  await expect(failed).rejects.toThrow('not sent');
  expect(await listKept()).toEqual([]);
});

test('a COMMIT that fails is the error of the transaction', async () => {
  await keep(db, 1, 9);
  await expect(inTransaction(db, (trx) => keep(trx, 2, 9))).rejects.toMatchObject({ code: '23505' });
  expect(await listKept()).toEqual([1]);
});

/** Makes BEGIN fail. */
const breakBegin = () => {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [{ text }, callback] = args as [{ text: string }, unknown];
    return query.apply(this, text === 'BEGIN;' ? ['select 1 / 0', callback] : args) as never;
  });
};

test('nothing is written when BEGIN fails', async () => {
  breakBegin();
  await expect(inTransaction(db, (trx) => keep(trx, 1))).rejects.toMatchObject({ code: '22012' });
  vi.restoreAllMocks();
  expect(await listKept()).toEqual([]);
});

test('a connection works after each of these', async () => {
  const one = createPool({ url: database.url, name: 'test', poolMax: 1 });
  await inTransaction(one, (trx) => keep(trx, 1));
  await expect(inTransaction(one, (trx) => keep(trx, 1))).rejects.toThrow();
  breakBegin();
  await expect(inTransaction(one, (trx) => keep(trx, 3))).rejects.toThrow();
  vi.restoreAllMocks();
  expect(await inTransaction(one, (trx) => keep(trx, 2))).toBe(2);
  expect(await listKept()).toEqual([1, 2]);
  await one.destroy();
});

test('a deadlock runs the work again as a whole', async () => {
  let attempts = 0;
  await inTransaction(db, async (trx) => {
    attempts++;
    await keep(trx, attempts);
    if (attempts === 1) await trx.raw("do $$ begin raise exception using errcode = '40P01'; end $$");
    else await keep(trx, 7);
  });
  expect([attempts, await listKept()]).toEqual([2, [2, 7]]);
});

test('inside of another transaction the work joins it and commits nothing', async () => {
  const failed = inTransaction(db, async (outer) => {
    await inTransaction(outer, (trx) => keep(trx, 1));
    await keep(outer, 2);
    throw new Error('after it');
  });
  await expect(failed).rejects.toThrow('after it');
  expect(await listKept()).toEqual([]);
});

test('withDatabase reads in the transaction too, also where reads come from a replica', async () => {
  const ctx = {
    db,
    get reads() {
      return db;
    },
  };
  await inTransaction(ctx.db, async (trx) => {
    const inTrx = withDatabase(ctx, trx);
    await keep(inTrx.db, 1);
    expect(await inTrx.reads('kept').pluck('n')).toEqual([1]);
    expect(await ctx.reads('kept').pluck('n')).toEqual([]);
  });
});

test('a statement timeout holds until the end of the transaction', async () => {
  const one = createPool({ url: database.url, name: 'test', poolMax: 1, clientTimeout: 0 });
  const readTimeout = async (from: Db) => (await from.raw('show statement_timeout')).rows[0].statement_timeout;
  await inTransaction(one, async (trx) => {
    await setStatementTimeout(trx, 15 * 60_000);
    expect(await readTimeout(trx)).toBe('15min');
  });
  expect(await readTimeout(one)).toBe('5s');
  await one.destroy();
});

test('a statement timeout that the client of the pool would not wait for is refused', async () => {
  const raise = (ms: number) => inTransaction(db, (trx) => setStatementTimeout(trx, ms));
  await raise(5500);
  await expect(raise(6000)).rejects.toThrow('use the jobs pool');
  await expect(raise(0)).rejects.toThrow('use the jobs pool');
});
