import { afterEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { openProxy } from '../../test/harness/proxy.ts';
import { createLog } from '../observability/log.ts';
import { fromDatabaseError } from './errors.ts';
import { createPool } from './pools.ts';
import { startWatchdog } from './watchdog.ts';

/** Longer than any test may take: whatever ends earlier was ended by the pulse. */
const ENDLESS = 3_600_000;
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const openDatabase = async () => {
  const database = await createTestDatabase();
  const proxy = await openProxy(new URL(database.directUrl));
  const db = createPool({ url: proxy.url, name: 'test', statementTimeout: ENDLESS });
  const pulse = startWatchdog(db, proxy.url, createLog('silent'));
  cleanups.push(
    database.drop,
    proxy.close,
    () => pulse.stop(),
    () => db.destroy(),
  );
  return { db, proxy };
};

const outcomeOf = (work: PromiseLike<unknown>): PromiseLike<unknown> =>
  work.then(
    () => 'answered',
    (error) => fromDatabaseError(error)?.code ?? error,
  );

describe('a database that falls silent', () => {
  test('fails whoever waits for it, long before the statement would time out', async () => {
    const { db, proxy } = await openDatabase();
    await db.raw('select 1');
    proxy.freeze();
    const waiting = Array.from({ length: 10 }, () => outcomeOf(db.raw('select 1')));
    expect(await Promise.all(waiting)).toEqual(Array(10).fill('database_unavailable'));
  });

  test('fails a transaction as a whole, and is used again when it is back', async () => {
    const { db, proxy } = await openDatabase();
    const half = db.transaction(async (trx) => {
      await trx.raw('create table half ()');
      proxy.freeze();
      await trx.raw('select 1');
    });
    expect(await outcomeOf(half)).toBe('database_unavailable');
    expect(await outcomeOf(db.raw('select 1'))).toBe('database_unavailable');
    proxy.thaw();
    await expect.poll(() => outcomeOf(db.raw('select 1'))).toBe('answered');
    const { rows } = await db.raw("select to_regclass('half') as half");
    expect(rows).toEqual([{ half: null }]);
  });
});

describe('a database that is slow, but alive', () => {
  test('is left alone, with all connections of the pool in use', async () => {
    const { db } = await openDatabase();
    const slow = Array.from({ length: 10 }, () => outcomeOf(db.raw('select pg_sleep(3)')));
    expect(await Promise.all(slow)).toEqual(Array(10).fill('answered'));
  });

  test('may make people wait for a lock', async () => {
    const { db } = await openDatabase();
    const holder = await db.transaction();
    await holder.raw('lock table users in access exclusive mode');
    const waiting = db.transaction(async (trx) => {
      await trx.raw("set local lock_timeout = '1h'");
      return trx('users').select('id');
    });
    await db.raw('select pg_sleep(2.5)');
    await holder.commit();
    expect(await waiting).toEqual([]);
  });
});
