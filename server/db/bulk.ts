import pg from 'pg';
import { type ConnectOptions, clientConfig, type Db, type Trx } from './pools.ts';
import { type Pipeline, setAside, takeBack } from './set-aside.ts';
import { inTransaction } from './transaction.ts';

const BATCH = 1000;

export interface StreamOptions extends ConnectOptions {
  signal?: AbortSignal | undefined;
}

/** A read-only transaction on its own connection: all its queries see the same state of the database. */
export interface Snapshot {
  /** Yields the rows of a query from a cursor, with at most a thousand in memory. Run one query at a time. */
  rows<T extends object>(sql: string, values?: readonly unknown[]): AsyncGenerator<T, void>;
  close(): Promise<void>;
}

/** Opens a snapshot; the caller closes it. Statements have no time limit unless `options` sets one. */
export async function createSnapshot({ signal, ...options }: StreamOptions): Promise<Snapshot> {
  const client = new pg.Client(clientConfig({ statementTimeout: 0, ...options }));
  // the running query rejects with the same error
  client.on('error', () => {});
  await client.connect();
  await client.query('begin isolation level repeatable read read only');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  return {
    async *rows<T extends object>(sql: string, values: readonly unknown[] = []) {
      await client.query(`declare rows no scroll cursor for ${sql}`, [...values]);
      for (;;) {
        signal?.throwIfAborted();
        const { rows } = await client.query<T>(`fetch ${BATCH} from rows`);
        yield* rows;
        if (rows.length < BATCH) break;
      }
      await client.query('close rows');
    },
    close: () => client.end(),
  };
}

/** Yields the rows of one query from its own snapshot, with at most a thousand in memory. */
export async function* streamRows<T extends object>(
  options: StreamOptions,
  sql: string,
  values: readonly unknown[] = [],
): AsyncIterable<T> {
  const snapshot = await createSnapshot(options);
  try {
    yield* snapshot.rows<T>(sql, values);
  } finally {
    await snapshot.close();
  }
}

/** In a transaction: the ads that it inserts are not new. No saved search is matched to them, and no follower is notified. */
export const BULK_LOAD = "set local tradepost.bulk_load = 'on'";

/** Memory for building indexes: with less, the index of words is merged into itself many times. What the operator sets counts if it is more. */
const INDEX_MEMORY = `select set_config('maintenance_work_mem', greatest(setting::bigint, 256 * 1024) || 'kB', true)
  from pg_settings where name = 'maintenance_work_mem'`;

/**
 * Drops the indexes of the table, runs `load` and creates the indexes again, which is faster for many rows. Must run
 * in a transaction; locks the table until it ends. A table that an older schema does not have yet is left out.
 */
export async function withoutIndexes(
  client: Pick<pg.Client, 'query'>,
  table: string,
  load: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = current_schema and tablename = $1
       and indexname not in (select conname from pg_constraint where conrelid = to_regclass($1))`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index "${name}"`);
  await load();
  await client.query(INDEX_MEMORY);
  for (const { definition } of rows) await client.query(definition);
}

/**
 * Deletes the rows `s` of the table that match `condition` (SQL), with one transaction per batch, so that no statement
 * runs for long or holds many locks. Returns the number of deleted rows.
 */
export async function deleteInBatches(db: Db, table: string, condition: string, batch = 10_000): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `delete from ${table} where ctid = any(array(
         select s.ctid from ${table} s where ${condition} limit ? for update skip locked))`,
      [batch],
    );
    total += rowCount;
    if (rowCount < batch) return total;
  }
}

const DUE = 100;

interface DueWork<Row> {
  pipeline: Pipeline;
  /** Lists at most `limit` rows that are due and not set aside (isSetAside). */
  list: (limit: number) => Promise<Row[]>;
  idOf: (row: Row) => string;
  work: (trx: Trx, row: Row) => Promise<boolean>;
  logFailure: (err: unknown, row: Row) => void;
}

/**
 * Runs `work` for all rows that `list` finds, each in a transaction of its own. A row that fails is set aside, so that it
 * does not stop the others. Returns for how many rows `work` returned true.
 */
export async function forEachDue<Row>(
  db: Db,
  { pipeline, list, idOf, work, logFailure }: DueWork<Row>,
): Promise<number> {
  for (let total = 0; ; ) {
    const due = await list(DUE);
    let changed = 0;
    for (const row of due) {
      try {
        if (await inTransaction(db, (trx) => work(trx, row))) {
          total++;
          changed++;
          await takeBack(db, pipeline, idOf(row));
        }
      } catch (err) {
        logFailure(err, row);
        await setAside(db, pipeline, idOf(row), err);
        changed++;
      }
    }
    if (due.length < DUE || changed === 0) return total;
  }
}
