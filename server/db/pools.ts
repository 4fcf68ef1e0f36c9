import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { PoolState } from '../observability/metrics.ts';
import { createMovedClient, moveSession, prepareMovedClock } from './moved-clock.ts';

export type Db = Knex;
/** A transaction. Functions that take one lock rows, or write several rows that belong together. */
export type Trx = Knex.Transaction;

export interface ConnectOptions {
  url: string;
  name: string;
  poolMax?: number;
  /** Milliseconds before PostgreSQL cancels a statement; 0: never. Default 5000. */
  statementTimeout?: number;
  /**
   * Milliseconds before the client abandons a statement and closes its connection, in case the server does not respond
   * at all; 0: never. A transaction cannot set a longer statement timeout. Default: `statementTimeout` plus a second.
   */
  clientTimeout?: number;
  /** Milliseconds to wait for a free connection. Default 1500. */
  acquireTimeout?: number;
  /** Milliseconds by which `now()` is ahead of the real time, outside production. Default 0. */
  clockOffset?: number;
}

const WEB_STATEMENT_TIMEOUT_MS = 5000;
const CLIENT_GRACE_MS = 1000;

/** The settings of the pool for jobs. A job raises the limit of its statements with `setStatementTimeout`. */
export const JOBS_POOL = {
  poolMax: 6,
  statementTimeout: 60_000,
  clientTimeout: 20 * 60_000,
  acquireTimeout: 30_000,
} as const satisfies Partial<ConnectOptions>;

const TIMESTAMPTZ = 1184;

/** '2026-11-21 04:48:33.5+00' (sessions run in UTC) → '2026-11-21T04:48:33.5Z'. */
const toIso = (s: string): string => `${s.slice(0, 10)}T${s.slice(11).replace(/\+00$/, 'Z')}`;

/** Type parsers of a connection: timestamptz becomes an ISO string; bigint and numeric stay strings. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === TIMESTAMPTZ && format !== 'binary' ? toIso : pg.types.getTypeParser(oid, format as 'text'),
};

/** The settings of our sessions, in milliseconds. */
export const SESSION_SETTINGS = {
  timezone: 'UTC',
  jit: 'off',
  random_page_cost: 1.1,
  max_parallel_workers_per_gather: 0,
  statement_timeout: WEB_STATEMENT_TIMEOUT_MS,
  lock_timeout: 2000,
  idle_in_transaction_session_timeout: 10_000,
  // cancels a statement and releases its locks when the client has closed the connection
  client_connection_check_interval: 1000,
};

const sessionOptions = (statementTimeout: number, clockOffset: number): string =>
  Object.entries({ ...SESSION_SETTINGS, statement_timeout: statementTimeout, ...moveSession(clockOffset) })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** The configuration of a pg client with our session settings; for LISTEN, COPY and locks outside the pools. */
export const clientConfig = ({
  url,
  name,
  statementTimeout = WEB_STATEMENT_TIMEOUT_MS,
  clientTimeout = statementTimeout && statementTimeout + CLIENT_GRACE_MS,
  clockOffset = 0,
}: ConnectOptions): pg.ClientConfig => ({
  connectionString: url,
  application_name: name,
  connectionTimeoutMillis: 5000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: sessionOptions(statementTimeout, clockOffset),
  ...(clientTimeout > 0 && { query_timeout: clientTimeout }),
  types,
});

/** Creates a pool. It connects on the first query. Close it with `db.destroy()`. */
export function createPool(options: ConnectOptions): Db {
  const db = knex({
    client: options.clockOffset ? createMovedClient() : 'pg',
    // pipelining: a transaction sends concurrent queries without waiting for each response
    connection: { ...clientConfig(options), pipeline: true } as Knex.PgConnectionConfig,
    pool: { min: 0, max: options.poolMax ?? 10, ...(options.clockOffset && { afterCreate: prepareConnection }) },
    acquireConnectionTimeout: Math.max(options.acquireTimeout ?? 1500, options.clockOffset ? PREPARE_MS : 0),
    // error messages must not contain user data: statements show ?, without their values
    compileSqlOnError: false,
    // Knex would print connection errors with their stack to the console; callers log the errors that they catch.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
    clockOffset: options.clockOffset ?? 0,
  } as Knex.Config);
  closeTimedOutConnections(db);
  return db;
}

/** The first connection with a moved clock changes many tables. */
const PREPARE_MS = 30_000;

const prepareConnection = (connection: pg.Client, done: (error?: Error) => void): void => {
  prepareMovedClock(connection).then(
    () => done(),
    (error: Error) => connection.end(() => done(error)),
  );
};

type PooledConnection = pg.Client & { __knexUid: string; __knex__disposed?: Error };

/** node-pg rejects a query that timed out but leaves it running: the next user of the connection would wait for it. */
function closeTimedOutConnections(db: Db): void {
  const connections = new Map<string, PooledConnection>();
  const { pool } = db.client;
  pool.on('createSuccess', (_id: number, connection: PooledConnection) =>
    connections.set(connection.__knexUid, connection),
  );
  pool.on('destroySuccess', (_id: number, connection: PooledConnection) => connections.delete(connection.__knexUid));
  db.on('query-error', (error: Error, { __knexUid }: { __knexUid: string }) => {
    const connection = connections.get(__knexUid);
    if (!connection || !error.message.endsWith('Query read timeout')) return;
    connection.__knex__disposed = error;
    connection.connection.stream.destroy();
  });
}

/** The time in Node by the clock that `now()` has in this pool. For functions that do not get a context. */
export const getNow = (db: Db): Date => new Date(Date.now() + (db.client.config.clockOffset as number));

/** Milliseconds before the client of this pool abandons a statement; 0: never. */
export const readClientTimeout = (db: Db): number =>
  (db.client.config.connection as pg.ClientConfig).query_timeout ?? 0;

/** A pool for graphile-worker: our session settings, pg's own type parsers. Closes when `work` has ended. */
export async function withQueuePool<R>(
  options: Pick<ConnectOptions, 'url' | 'clockOffset'> & { poolMax: number },
  work: (pool: pg.Pool) => Promise<R>,
): Promise<R> {
  const { types: _ours, ...config } = clientConfig({ ...options, name: 'tradepost queue', statementTimeout: 60_000 });
  const pool = new pg.Pool({
    ...config,
    max: options.poolMax,
    ...(options.clockOffset && { onConnect: prepareMovedClock }),
  });
  // the pool replaces a lost connection; its user gets the error
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

export const readPoolState = (db: Db): PoolState => {
  const { pool } = db.client;
  return {
    used: pool.numUsed(),
    free: pool.numFree(),
    waiting: pool.numPendingAcquires() + pool.numPendingCreates(),
    max: pool.max,
  };
};

export const STATUS_FIELDS = [
  'host',
  'database',
  'user',
  'version',
  'latencyMs',
  'sizeBytes',
  'connections',
  'maxConnections',
  'isReplica',
  'replicationLagSeconds',
  'migrations',
] as const;

const STATUS = `
  select coalesce(host(inet_server_addr()), 'socket') as host, current_database() as database, current_user as user,
    current_setting('server_version') as version, pg_database_size(current_database())::text as "sizeBytes",
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
    current_setting('max_connections')::int as "maxConnections", pg_is_in_recovery() as "isReplica",
    case when pg_is_in_recovery() then extract(epoch from now() - pg_last_xact_replay_timestamp())::float8
      else (select max(extract(epoch from replay_lag))::float8 from pg_stat_replication) end as "replicationLagSeconds",
    to_regclass('knex_migrations') is not null as "isMigrated"`;

/** The state of the database server for an operator; the lag is null without replication. */
export async function readDatabaseStatus(db: Db): Promise<Record<(typeof STATUS_FIELDS)[number], unknown>> {
  await db.raw('select 1');
  const start = performance.now();
  await db.raw('select 1');
  const latencyMs = Math.round((performance.now() - start) * 100) / 100;
  const { rows } = await db.raw<{ rows: { isMigrated: boolean }[] }>(STATUS);
  const { isMigrated, ...status } = rows[0]!;
  const migrations = isMigrated ? await countRows(db('knex_migrations')) : 0;
  return { ...status, latencyMs, migrations } as Awaited<ReturnType<typeof readDatabaseStatus>>;
}

export const countRows = async (query: Knex.QueryBuilder): Promise<number> => {
  const row = await query.count<{ count: string }>({ count: '*' }).first();
  return Number(row!.count);
};

/** The number of rows of a query for each of these values of a column, bigints; 0 for a value without rows. */
export const countRowsBy = async (
  query: Knex.QueryBuilder,
  column: string,
  values: readonly string[],
): Promise<Map<string, number>> => {
  const rows: { value: string; count: string }[] = await query
    .whereRaw('?? = any(?::bigint[])', [column, [...values]])
    .groupBy(column)
    .select({ value: column })
    .count({ count: '*' });
  const counted = new Map(rows.map(({ value, count }) => [value, Number(count)]));
  return new Map(values.map((value) => [value, counted.get(value) ?? 0]));
};

export const ping = async (db: Db): Promise<void> => {
  await db.raw('select 1');
};

/** The database's clock, in milliseconds since 1970. */
export const readClock = async (db: Db): Promise<number> => {
  const { rows } = await db.raw<{ rows: { now: string }[] }>('select clock_timestamp() as now');
  return Date.parse(rows[0]!.now);
};
