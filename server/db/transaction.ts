import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Trx } from './connect.ts';
import { LOST_STATEMENT } from './prepared.ts';

const RETRIED = new Set(['40001', '40P01', ...LOST_STATEMENT]);
const TRIES = 4;

/**
 * Runs `work` in one transaction on one connection; a serialization failure, deadlock or lost statement is tried again up
 * to three times, so `work` must have no effect outside of the transaction. Inside of another transaction it joins that
 * one, which is tried again as a whole: a savepoint would cost two round trips and protect nothing, since what throws here
 * ends the outer one too. Who wants to go on after a failure opens a savepoint first, with `trx.transaction`.
 */
export async function inTransaction<R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> {
  if (db.isTransaction) return work(db as Trx);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt === TRIES || typeof code !== 'string' || !RETRIED.has(code)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}
