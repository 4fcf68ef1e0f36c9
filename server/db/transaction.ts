import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Trx } from './connect.ts';

const RETRIED = new Set(['40001', '40P01']);
const TRIES = 4;

/**
 * Runs `work` in one transaction on one connection; a serialization failure or deadlock is tried again up to three times,
 * so `work` must have no effect outside of the transaction.
 */
export async function inTransaction<R>(db: Db, work: (trx: Trx) => Promise<R>): Promise<R> {
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
