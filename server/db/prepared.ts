import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Db } from './pools.ts';

type Bindings = Record<string, string | number | Buffer | readonly string[]>;

/**
 * SQLSTATEs of a prepared statement that cannot run: it does not exist or exists already, because a transaction pooler
 * changed the server connection; or a migration changed the types of its result.
 */
export const LOST_STATEMENT = new Set(['26000', '42P05', '0A000']);

/** How long a pool goes without prepared statements after it lost one. */
const OFF_MS = 10 * 60_000;

export interface QueryOptions {
  /** Milliseconds after which PostgreSQL cancels the query and the caller gets an error (isCutOff). */
  cutOffMs?: number | undefined;
}

type Query<Row> = Knex.Raw<{ rows: Row[] }>;

const runWithin = <Row>(query: Query<Row>, { cutOffMs }: QueryOptions): Query<Row> =>
  cutOffMs === undefined ? query : query.timeout(cutOffMs, { cancel: true });

interface Statement {
  name: string;
  /** With $1, $2 … for the values of `keys`; a binding that occurs twice is there twice, since each place has its own type. */
  text: string;
  keys: string[];
}

function compile(sql: string, bindings: Bindings): Statement {
  const keys: string[] = [];
  const text = sql.replace(/(?<!:):(\w+)/g, (placeholder, key: string) => {
    // not a placeholder: [[:alnum:]]
    if (!Object.hasOwn(bindings, key)) return placeholder;
    keys.push(key);
    return `$${keys.length}`;
  });
  return { name: hash('sha1', sql), text, keys };
}

/** The state of a pool, which its transactions share. */
interface PreparedState {
  statements: Map<string, Statement>;
  /** Part of each name, so that a lost statement is prepared again under another one. */
  generation: number;
  /** performance.now() until when no statement is prepared. */
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

/** Calls `onLost` with the SQLSTATE when this pool loses a prepared statement and goes without them for ten minutes. */
export const onStatementLost = (db: Db, onLost: (code: string) => void): void => {
  readState(db).onLost = onLost;
};

/** Bypasses Knex's own parsing of placeholders, which is slow. */
function runPrepared<Row>(db: Db, sql: string, bindings: Bindings): Query<Row> {
  const { statements, generation } = readState(db);
  const { name, text, keys } = statements.get(sql) ?? compile(sql, bindings);
  if (!statements.has(sql)) statements.set(sql, { name, text, keys });
  const values = keys.map((key) => bindings[key]);
  return db.raw<{ rows: Row[] }>(text).options({ name: `${name} ${generation}`, values });
}

/** True for a query that `cutOffMs` ended, false for one that got no connection in time. */
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
 * The rows of a statement that each connection parses and plans once; for hot queries, where planning takes most of the
 * time. Every variant of `sql` stays in the memory of every connection, so it must have few, and it must name its columns
 * (not `*`). The name is a hash of the text, so a transaction pooler cannot confuse two statements; PgBouncer before 1.21
 * loses them, and then the pool goes without for ten minutes. A transaction that fails for that runs again (inTransaction).
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
