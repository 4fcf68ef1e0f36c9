import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db } from './pools.ts';

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

type Query<Row> = Knex.Raw<{ rows: Row[] }>;

const runWithin = <Row>(query: Query<Row>, { cutOffMs }: QueryOptions): Query<Row> =>
  cutOffMs === undefined ? query : query.timeout(cutOffMs, { cancel: true });

/** A statement as pg wants it: $1 for the first of `keys`, which may name one binding twice: each place has its own type. */
interface Statement {
  name: string;
  text: string;
  keys: string[];
}

function compile(sql: string, bindings: Bindings): Statement {
  const keys: string[] = [];
  const text = sql.replace(/(?<!:):(\w+)/g, (written, key: string) => {
    // [[:alnum:]]
    if (!Object.hasOwn(bindings, key)) return written;
    keys.push(key);
    return `$${keys.length}`;
  });
  return { name: hash('sha1', sql), text, keys };
}

/** Of a pool; its transactions share it. */
interface Prepared {
  losesStatements: boolean;
  statements: Map<string, Statement>;
}

const preparedOf = ({ userParams }: Db): Prepared =>
  (userParams.prepared ??= { losesStatements: false, statements: new Map() } satisfies Prepared);

/** Past Knex's own parsing of placeholders, which took as long as pg takes to send the query. */
function runPrepared<Row>(db: Db, sql: string, bindings: Bindings): Query<Row> {
  const { statements } = preparedOf(db);
  const { name, text, keys } = statements.get(sql) ?? compile(sql, bindings);
  if (!statements.has(sql)) statements.set(sql, { name, text, keys });
  return db.raw<{ rows: Row[] }>(text).options({ name, values: keys.map((key) => bindings[key]) });
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
): Promise<Row[]> => (await runWithin(db.raw<{ rows: Row[] }>(sql, bindings as Record<string, string>), options)).rows;

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
  const prepared = preparedOf(db);
  if (prepared.losesStatements) return queryOnce(db, sql, bindings, options);
  try {
    return (await runWithin(runPrepared<Row>(db, sql, bindings), options)).rows;
  } catch (error) {
    if (!LOST_STATEMENT.has(String((error as { code?: unknown }).code))) throw error;
    prepared.losesStatements = true;
    if (db.isTransaction) throw error;
    return queryOnce(db, sql, bindings, options);
  }
}
