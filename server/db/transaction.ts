import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, readClientTimeout, type Trx } from './pools.ts';
import { LOST_STATEMENT } from './prepared.ts';

const RETRIED = new Set(['40001', '40P01', ...LOST_STATEMENT]);
const MAX_ATTEMPTS = 4;

/**
 * Runs `work` in a transaction. After a serialization failure, a deadlock or a lost prepared statement it runs again,
 * up to three times, so `work` must have no effect outside the transaction. Inside another transaction `work` joins
 * that one, which is retried as a whole. To continue after a failure, open a savepoint with `trx.transaction`.
 */
export async function inTransaction<R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> {
  if (db.isTransaction) return work(db as Trx);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt === MAX_ATTEMPTS || typeof code !== 'string' || !RETRIED.has(code)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

/**
 * Sets the statement timeout in milliseconds until the end of the transaction. Throws on a pool whose client would
 * give up first (`ctx.db` of a request: 6 seconds). Run long work in a job, where `ctx.db` is the jobs pool and allows
 * up to 19 minutes, and split it into batches of a transaction each, so that locks are held briefly.
 */
export async function setStatementTimeout(trx: Trx, ms: number): Promise<void> {
  const clientTimeout = readClientTimeout(trx);
  if (clientTimeout > 0 && (ms === 0 || ms >= clientTimeout))
    throw new Error(
      `a statement timeout of ${ms} ms exceeds the client timeout of ${clientTimeout} ms: use the jobs pool`,
    );
  await trx.raw('select set_config(?, ?, true)', ['statement_timeout', String(ms)]);
}

/**
 * `ctx` with `db` for all reads and writes: a transaction, or the pool for jobs. Services then join the transaction.
 */
export const withDatabase = <C extends { db: Db; readonly reads: Db }>(ctx: C, db: Db): C => ({
  ...ctx,
  db,
  reads: db,
});
