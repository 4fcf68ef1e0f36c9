import type { Db, Trx } from './pools.ts';

/** Runs a transaction's last statement and sends COMMIT right behind it. */
export type Last = <R>(statement: () => Promise<R>) => Promise<R>;

/** What we use of Knex's transaction beyond its types. */
interface Transaction extends Promise<unknown> {
  begin(connection: unknown): Promise<void>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

/** Opens a transaction without waiting for the answer to BEGIN. `run` ends it. */
export function pipelineBegin<R>(db: Db, run: (trx: Trx) => void): Promise<R> {
  const transaction = db.transaction((trx) => void run(trx as Trx)) as unknown as Transaction;
  // it has not begun: that waits for a connection
  transaction.begin = async (connection) => {
    // a failure ends the transaction, which refuses every further statement
    void transaction.query(connection, 'BEGIN;');
  };
  return transaction as Promise<R>;
}

/** Resolves when the next statement of the transaction has been sent. */
const nextSent = (trx: Trx): Promise<void> => new Promise((resolve) => void trx.once('query', () => resolve()));

/**
 * Ends the transaction with what `work` returns or throws; with COMMIT at once where `work` says which statement is the
 * last. PostgreSQL makes a ROLLBACK of it where that one fails.
 */
export function commitWithLast<R>(trx: Trx, work: (last: Last) => Promise<R>): void {
  const last: Last = (statement) => {
    const sent = nextSent(trx);
    const outcome = statement();
    void sent.then(commit);
    return outcome;
  };
  const done = work(last);
  function commit() {
    if (!trx.isCompleted()) trx.commit(done);
  }
  function rollBack(error: unknown) {
    if (!trx.isCompleted()) trx.rollback(error);
  }
  done.then(commit, rollBack);
}

/**
 * Sends a second statement without waiting for the answer to the first. It sees what the first one waited for: each has
 * a snapshot of its own.
 */
export async function pipelineTwo<A, B>(trx: Trx, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const sent = nextSent(trx);
  // a query of Knex is asked anew for each who awaits it
  const one = Promise.resolve(first());
  await Promise.race([sent, one]);
  return Promise.all([one, second()]);
}
