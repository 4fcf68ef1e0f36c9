import pg from 'pg';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { createPool, type Db } from './pools.ts';
import { pipelineTwo } from './round-trips.ts';
import { inShortTransaction, inTransaction } from './transaction.ts';

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
const look = (trx: Db): Promise<unknown> => trx.raw('select');

test('a short transaction returns what its last statement does, once it is committed', async () => {
  const seen = await inShortTransaction(db, async (trx, last) => {
    await look(trx);
    await keep(trx, 1);
    return (await last(() => keep(trx, 2))) + 40;
  });
  expect([seen, await listKept()]).toEqual([42, [1, 2]]);
});

test('one that names no last statement is committed too', async () => {
  expect(await inShortTransaction(db, (trx) => keep(trx, 1))).toBe(1);
  expect(await listKept()).toEqual([1]);
});

test('a last statement that fails undoes everything, although COMMIT follows it', async () => {
  const failed = inShortTransaction(db, async (trx, last) => {
    await keep(trx, 1);
    await last(() => keep(trx, 1));
  });
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  expect(await listKept()).toEqual([]);
});

test('what is thrown before the last statement is sent undoes everything', async () => {
  const failed = inShortTransaction(db, async (trx, last) => {
    await keep(trx, 1);
    await last(() => Promise.reject(new Error('not sent')));
  });
  await expect(failed).rejects.toThrow('not sent');
  expect(await listKept()).toEqual([]);
});

test('a COMMIT that fails is the error of the transaction', async () => {
  await keep(db, 1, 9);
  const failed = inShortTransaction(db, async (trx, last) => {
    await look(trx);
    return last(() => keep(trx, 2, 9));
  });
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  expect(await listKept()).toEqual([1]);
});

/** BEGIN fails in place of being carried out. */
const breakBegin = () => {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [{ text }, answered] = args as [{ text: string }, unknown];
    return query.apply(this, text === 'BEGIN;' ? ['select 1 / 0', answered] : args) as never;
  });
};

test('nothing is written when BEGIN fails', async () => {
  breakBegin();
  const failed = inShortTransaction(db, async (trx, last) => {
    await look(trx);
    await keep(trx, 1);
    await last(() => keep(trx, 2));
  });
  await expect(failed).rejects.toMatchObject({ code: '22012' });
  vi.restoreAllMocks();
  expect(await listKept()).toEqual([]);
});

test('a connection is as good as new after each of these', async () => {
  const one = createPool({ url: database.url, name: 'test', poolMax: 1 });
  await inShortTransaction(one, (trx, last) => last(() => keep(trx, 1)));
  await expect(inShortTransaction(one, (trx, last) => last(() => keep(trx, 1)))).rejects.toThrow();
  await expect(inShortTransaction(one, (trx) => keep(trx, 1))).rejects.toThrow();
  breakBegin();
  await expect(inShortTransaction(one, (trx) => look(trx))).rejects.toThrow();
  vi.restoreAllMocks();
  expect(await inShortTransaction(one, (trx, last) => last(() => keep(trx, 2)))).toBe(2);
  expect(await listKept()).toEqual([1, 2]);
  await one.destroy();
});

test('a deadlock of the last statement is tried again as a whole', async () => {
  let tries = 0;
  await inShortTransaction(db, async (trx, last) => {
    tries++;
    await keep(trx, tries);
    await last(async () => {
      if (tries === 1) await trx.raw("do $$ begin raise exception using errcode = '40P01'; end $$");
      else await keep(trx, 7);
    });
  });
  expect([tries, await listKept()]).toEqual([2, [2, 7]]);
});

test('inside of another transaction the last statement ends nothing', async () => {
  const failed = inTransaction(db, async (outer) => {
    await inShortTransaction(outer, (trx, last) => last(() => keep(trx, 1)));
    await keep(outer, 2);
    throw new Error('after it');
  });
  await expect(failed).rejects.toThrow('after it');
  expect(await listKept()).toEqual([]);
});

test('the second of two statements sent together sees what the first has waited for', async () => {
  const holder = await db.transaction();
  await holder.raw('select pg_advisory_xact_lock(4711)');
  await keep(holder, 1);
  const reading = inShortTransaction(db, async (trx) => {
    await trx.raw('set local lock_timeout = 0');
    await trx.raw('set local statement_timeout = 0');
    return pipelineTwo(
      trx,
      () => trx.raw('select pg_advisory_xact_lock(4711)'),
      () => trx('kept').pluck('n'),
    );
  });
  const isWaiting = async () => {
    const { rows } = await holder.raw(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and l.locktype = 'advisory' and l.objid = 4711 and not l.granted`,
    );
    expect(rows).toHaveLength(1);
  };
  await vi.waitFor(isWaiting, { timeout: 20_000, interval: 20 });
  await holder.commit();
  expect((await reading)[1]).toEqual([1]);
});
