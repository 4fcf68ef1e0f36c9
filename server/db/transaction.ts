import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Trx } from './pools.ts';
import { LOST_STATEMENT } from './prepared.ts';
import { commitWithLast, type Last, pipelineBegin } from './round-trips.ts';

const RETRIED = new Set(['40001', '40P01', ...LOST_STATEMENT]);
const TRIES = 4;

/**
 * Runs `work` in one transaction on one connection; a serialization failure, deadlock or lost statement is tried again up
 * to three times, so `work` must have no effect outside of the transaction. Inside of another transaction it joins that
 * one, which is tried again as a whole: a savepoint would cost two round trips and protect nothing, since what throws here
 * ends the outer one too. Who wants to go on after a failure opens a savepoint first, with `trx.transaction`.
 */
export const inTransaction = <R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> =>
  db.isTransaction ? work(db as Trx) : retry(() => db.transaction(work));

/**
 * The same in as few round trips as can be: BEGIN is sent with the first statement, which therefore must do nothing but
 * read and lock (should BEGIN fail, it is carried out all the same), COMMIT with the one that is given to `last`, after
 * which nothing may fail. Inside of another transaction, which goes on, that is a statement like any other.
 */
export const inShortTransaction = <R>(db: Db, work: (trx: Trx, last: Last) => Promise<R>): Promise<R> =>
  db.isTransaction
    ? work(db as Trx, (statement) => statement())
    : retry(() => pipelineBegin(db, (trx) => commitWithLast(trx, (last) => work(trx, last))));

async function retry<R>(run: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt === TRIES || typeof code !== 'string' || !RETRIED.has(code)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}
