import pg from 'pg';
import { type ConnectOptions, clientConfig } from './pools.ts';

const BATCH = 1000;

export interface StreamOptions extends ConnectOptions {
  signal?: AbortSignal | undefined;
}

/** A read-only transaction on a connection of its own: everything is read as of one moment, however long it takes. */
export interface Snapshot {
  /** Rows as they are read, at most a thousand in memory. One query at a time. */
  rows<T extends object>(sql: string, values?: readonly unknown[]): AsyncGenerator<T, void>;
  close(): Promise<void>;
}

/** Opens a snapshot; the caller closes it. Statements have no time limit unless `options` sets one. */
export async function openSnapshot({ signal, ...options }: StreamOptions): Promise<Snapshot> {
  const client = new pg.Client(clientConfig({ statementTimeout: 0, ...options }));
  // the statement under way fails with it
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

/** The rows of one query, a thousand at a time in memory, on a connection and a snapshot of its own. */
export async function* streamRows<T extends object>(
  options: StreamOptions,
  sql: string,
  values: readonly unknown[] = [],
): AsyncIterable<T> {
  const snapshot = await openSnapshot(options);
  try {
    yield* snapshot.rows<T>(sql, values);
  } finally {
    await snapshot.close();
  }
}
