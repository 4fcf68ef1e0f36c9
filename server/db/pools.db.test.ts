import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/harness/database.ts';
import { openProxy } from '../../test/harness/proxy.ts';
import { fromDatabaseError } from './errors.ts';
import { type ConnectOptions, createPool } from './pools.ts';
import { inTransaction, setStatementTimeout } from './transaction.ts';

const database = await createTestDatabase();
const observer = createPool({ url: database.directUrl, name: 'observer' });
await observer.raw('create table numbers (n int)');
const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await observer.destroy();
  await database.drop();
});

async function openPool(options: Partial<ConnectOptions>) {
  const proxy = await openProxy(new URL(database.directUrl));
  const db = createPool({ url: proxy.url, name: 'test', ...options });
  cleanups.push(proxy.close, () => db.destroy());
  return { db, proxy };
}

const outcomeOf = (work: PromiseLike<unknown>): PromiseLike<unknown> =>
  work.then(
    () => 'done',
    (error) => fromDatabaseError(error)?.code ?? error,
  );

test('a statement that the client gives up is cancelled in PostgreSQL, and its locks are released', async () => {
  const { db } = await openPool({ clientTimeout: 300, poolMax: 1 });
  const abandoned = inTransaction(db, async (trx) => {
    await trx.raw('lock table numbers in access exclusive mode');
    await trx.raw("set local statement_timeout = '1h'");
    await trx.raw('select pg_sleep(3600)');
  });
  expect(await outcomeOf(abandoned)).toBe('database_unavailable');
  // its connection is replaced: no query waits behind the abandoned statement
  expect(await outcomeOf(db.raw('select 1'))).toBe('done');
  const listRunning = () =>
    observer('pg_stat_activity').where({ application_name: 'test' }).whereLike('query', '%pg_sleep%');
  await expect.poll(listRunning, { timeout: 10_000 }).toEqual([]);
  await observer('numbers').insert({ n: 1 });
});

test('a server that froze fails its statements and transactions, and is used again after that', async () => {
  const { db, proxy } = await openPool({ statementTimeout: 300, clientTimeout: 500 });
  await db.raw('select 1');
  const half = db.transaction(async (trx) => {
    await trx.raw('create table half ()');
    proxy.freeze();
    await trx.raw('select 1');
  });
  expect(await outcomeOf(half)).toBe('database_unavailable');
  const waiting = Array.from({ length: 5 }, () => outcomeOf(db.raw('select 1')));
  expect(await Promise.all(waiting)).toEqual(Array(5).fill('database_unavailable'));
  proxy.thaw();
  await expect.poll(() => outcomeOf(db.raw('select 1')), { timeout: 10_000 }).toBe('done');
  const { rows } = await db.raw("select to_regclass('half') as half");
  expect(rows).toEqual([{ half: null }]);
});

test('a server that pauses for longer than a second keeps its connections, also in a COMMIT', async () => {
  const { db, proxy } = await openPool({ poolMax: 2 });
  const readPid = async () => (await db.raw('select pg_backend_pid() as pid')).rows[0].pid;
  const pid = await readPid();
  const paused = inTransaction(db, async (trx) => {
    await trx('numbers').insert({ n: 2 });
    proxy.freeze();
  });
  await sleep(1500);
  proxy.thaw();
  expect(await outcomeOf(paused)).toBe('done');
  expect(await observer('numbers').where({ n: 2 })).toHaveLength(1);
  expect(await readPid()).toBe(pid);
});

test('a job may raise the limit of its statements beyond that of requests', async () => {
  const { db } = await openPool({ statementTimeout: 200, clientTimeout: 60_000 });
  expect(await outcomeOf(db.raw('select pg_sleep(1.5)'))).toBe('overloaded');
  const long = inTransaction(db, async (trx) => {
    await setStatementTimeout(trx, 30_000);
    await trx.raw('select pg_sleep(1.5)');
  });
  expect(await outcomeOf(long)).toBe('done');
});
