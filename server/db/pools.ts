import knex, { type Knex } from 'knex';
import pg from 'pg';

export type Db = Knex;
/** A transaction. Functions that take one must run inside it: they lock, or write several rows that belong together. */
export type Trx = Knex.Transaction;

export interface ConnectOptions {
  url: string;
  /** Shown in pg_stat_activity. */
  name: string;
  poolMax?: number;
  /** Milliseconds a statement may run; 0 means without end. Default 5000. */
  statementTimeout?: number;
  /** Milliseconds to wait for a free connection. Default 1500. */
  acquireTimeout?: number;
}

const TIMESTAMPTZ = 1184;

/** '2026-11-21 04:48:33.5+00' (sessions run in UTC) → '2026-11-21T04:48:33.5Z': a Date object costs eight times as much. */
const toIso = (s: string): string => `${s.slice(0, 10)}T${s.slice(11).replace(/\+00$/, 'Z')}`;

/** Type parsers of one connection: timestamptz as an ISO string; bigint and numeric stay strings. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary' ? toIso : pg.types.getTypeParser(oid, format as 'text'),
};

/** What our sessions ask of Postgres. Times in milliseconds. */
export const SESSION_SETTINGS = {
  timezone: 'UTC',
  jit: 'off',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 0,
  statement_timeout: 5000,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
};

const sessionOptions = (statementTimeout: number): string =>
  Object.entries({ ...SESSION_SETTINGS, statement_timeout: statementTimeout })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** What a pg client needs to speak to the database as we do; for LISTEN, COPY and locks outside the pool. */
export const clientConfig = ({
  url,
  name,
  statementTimeout = SESSION_SETTINGS.statement_timeout,
}: ConnectOptions): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: 5000,
  keepAlive: true,
  options: sessionOptions(statementTimeout),
  // a server that froze cancels no statement itself
  ...(statementTimeout > 0 && { query_timeout: statementTimeout + 1000 }),
  types,
});

/** Opens a pool; nothing connects before the first query. Close it with `db.destroy()`. */
export const createPool = (options: ConnectOptions): Db =>
  knex({
    client: 'pg',
    // what a transaction asks is sent as it is asked, also before the last answer is there (round-trips.ts)
    connection: { ...clientConfig(options), pipeline: true } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax ?? 10 },
    acquireConnectionTimeout: options.acquireTimeout ?? 1500,
    // an error's text must not carry what people wrote: statements with ?, without their values
    compileSqlOnError: false,
    // Knex would print connection errors with their stack to the console; callers log what they catch.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
