import { hash } from 'node:crypto';
import type { Db } from './connect.ts';

type Bindings = Record<string, string | number | Buffer | readonly string[]>;

/** No such statement; it exists already: a pooler gave us another's connection. */
export const LOST_STATEMENT = new Set(['26000', '42P05']);

const ask = <Row>(db: Db, sql: string, bindings: Bindings) =>
  db.raw<{ rows: Row[] }>(sql, bindings as Record<string, string>);

/** The rows of a statement that is parsed and planned each time. */
export const queryOnce = async <Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> =>
  (await ask<Row>(db, sql, bindings)).rows;

/**
 * The rows of a statement that each connection parses and plans once: planning took most of a list's time in Postgres.
 * Every spelling stays in the memory of every connection, so let `sql` have few, and name its columns: what `*` means
 * may not change. Named by its text, a statement is never taken for another behind a transaction pooler; PgBouncer
 * before 1.21 loses them, which is noticed once and done without. A transaction that fails of it is tried again
 * (inTransaction).
 */
export async function queryPrepared<Row>(db: Db, sql: string, bindings: Bindings): Promise<Row[]> {
  if (db.userParams.losesStatements) return queryOnce(db, sql, bindings);
  try {
    return (await ask<Row>(db, sql, bindings).options({ name: hash('sha1', sql) })).rows;
  } catch (error) {
    if (!LOST_STATEMENT.has(String((error as { code?: unknown }).code))) throw error;
    // of the pool, which its transactions share
    db.userParams.losesStatements = true;
    if (db.isTransaction) throw error;
    return queryOnce(db, sql, bindings);
  }
}
