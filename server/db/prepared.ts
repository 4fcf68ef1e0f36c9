import { hash } from 'node:crypto';
import type { Db } from './connect.ts';

type Bindings = Record<string, string | number | Buffer | readonly string[]>;

/**
 * No such statement; it exists already: a pooler gave us another's connection. Or its result has other types than when
 * it was planned: a release is being rolled out whose migration changed a column.
 */
export const LOST_STATEMENT = new Set(['26000', '42P05', '0A000']);

export interface QueryOptions {
  /** Milliseconds after which Postgres is told to stop and the caller that it took too long (isCutOff). */
  cutOffMs?: number | undefined;
}

function ask<Row>(db: Db, sql: string, bindings: Bindings, { cutOffMs }: QueryOptions) {
  const query = db.raw<{ rows: Row[] }>(sql, bindings as Record<string, string>);
  return cutOffMs === undefined ? query : query.timeout(cutOffMs, { cancel: true });
}

/** True for the error of a query that was cut off, not for that of waiting for a connection. */
export const isCutOff = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KnexTimeoutError' && 'timeout' in error && 'sql' in error;

/** The rows of a statement that is parsed and planned each time. */
export const queryOnce = async <Row>(
  db: Db,
  sql: string,
  bindings: Bindings,
  options: QueryOptions = {},
): Promise<Row[]> => (await ask<Row>(db, sql, bindings, options)).rows;

/**
 * The rows of a statement that each connection parses and plans once: planning took most of a list's time in Postgres.
 * Every spelling stays in the memory of every connection, so let `sql` have few, and name its columns: what `*` means
 * may not change. Named by its text, a statement is never taken for another behind a transaction pooler; PgBouncer
 * before 1.21 loses them, which is noticed once and done without. A transaction that fails of it is tried again
 * (inTransaction).
 */
export async function queryPrepared<Row>(
  db: Db,
  sql: string,
  bindings: Bindings,
  options: QueryOptions = {},
): Promise<Row[]> {
  if (db.userParams.losesStatements) return queryOnce(db, sql, bindings, options);
  try {
    return (await ask<Row>(db, sql, bindings, options).options({ name: hash('sha1', sql) })).rows;
  } catch (error) {
    if (!LOST_STATEMENT.has(String((error as { code?: unknown }).code))) throw error;
    // of the pool, which its transactions share
    db.userParams.losesStatements = true;
    if (db.isTransaction) throw error;
    return queryOnce(db, sql, bindings, options);
  }
}
