import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db } from './pools.ts';

type Bindings = Readonly<Record<string, string | number | Buffer | null | readonly string[]>>;

/**
 * SQLSTATEs of a lost prepared statement. Either a transaction pooler changed the server connection, so that the
 * statement is missing or exists already, or a migration changed its result types.
 */
export const LOST_STATEMENT = new Set(['26000', '42P05', '0A000']);

const OFF_MS = 10 * 60_000;

export interface QueryOptions {
  /** Milliseconds before PostgreSQL cancels the query and the caller gets an error (isCutOff). */
  cutOffMs?: number | undefined;
}

type Query<Row> = Knex.Raw<{ rows: Row[] }>;

const runWithin = <Row>(query: Query<Row>, { cutOffMs }: QueryOptions): Query<Row> =>
  cutOffMs === undefined ? query : query.timeout(cutOffMs, { cancel: true });

interface Statement {
  name: string;
  /**
   * Contains $1, $2 … for the values of `keys`. A repeated binding gets a placeholder per use, because each has its
   * own type.
   */
  text: string;
  keys: string[];
}

function compile(sql: string, bindings: Bindings): Statement {
  const keys: string[] = [];
  const text = sql.replace(/(?<!:):(\w+)/g, (placeholder, key: string) => {
    // not a placeholder but a class such as [[:alnum:]]
    if (!Object.hasOwn(bindings, key)) return placeholder;
    keys.push(key);
    return `$${keys.length}`;
  });
  return { name: hash('sha1', sql), text, keys };
}

interface PreparedState {
  statements: Map<string, Statement>;
  /** Part of each name, so that a lost statement gets a new name when it is prepared again. */
  generation: number;
  offUntil: number;
  onLost: ((code: string) => void) | undefined;
}

const readState = ({ userParams }: Db): PreparedState =>
  (userParams.prepared ??= {
    statements: new Map(),
    generation: 0,
    offUntil: 0,
    onLost: undefined,
  } satisfies PreparedState);

export const onStatementLost = (db: Db, onLost: (code: string) => void): void => {
  readState(db).onLost = onLost;
};

function runPrepared<Row>(db: Db, sql: string, bindings: Bindings): Query<Row> {
  const { statements, generation } = readState(db);
  const { name, text, keys } = statements.get(sql) ?? compile(sql, bindings);
  if (!statements.has(sql)) statements.set(sql, { name, text, keys });
  const values = keys.map((key) => bindings[key]);
  return db.raw<{ rows: Row[] }>(text).options({ name: `${name} ${generation}`, values });
}

/** True if `cutOffMs` cancelled the query, false if it got no connection in time. */
export const isCutOff = (error: unknown): boolean =>
  error instanceof Error && error.name === 'KnexTimeoutError' && 'timeout' in error && 'sql' in error;

/** The rows of a statement that is parsed and planned for each call. */
export const queryOnce = async <Row>(
  db: Db,
  sql: string,
  bindings: Bindings,
  options: QueryOptions = {},
): Promise<Row[]> => (await runWithin(db.raw<{ rows: Row[] }>(sql, bindings as Record<string, string>), options)).rows;

/**
 * The rows of a statement that each connection parses and plans once. Use it for hot queries, where planning takes
 * most of the time. Each connection keeps every variant of `sql` in memory, so use few variants, and name the columns
 * (not `*`). The statement's name is a hash of its text, so a transaction pooler cannot confuse two statements.
 * PgBouncer before 1.21 loses them; the pool then stops preparing statements for ten minutes. inTransaction retries a
 * transaction that fails for this reason.
 */
export async function queryPrepared<Row>(
  db: Db,
  sql: string,
  bindings: Bindings,
  options: QueryOptions = {},
): Promise<Row[]> {
  const state = readState(db);
  if (performance.now() < state.offUntil) return queryOnce(db, sql, bindings, options);
  try {
    return (await runWithin(runPrepared<Row>(db, sql, bindings), options)).rows;
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (!LOST_STATEMENT.has(code)) throw error;
    if (performance.now() >= state.offUntil) {
      state.generation++;
      state.offUntil = performance.now() + OFF_MS;
      state.onLost?.(code);
    }
    if (db.isTransaction) throw error;
    return queryOnce(db, sql, bindings, options);
  }
}
