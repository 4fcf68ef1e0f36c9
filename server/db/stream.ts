import pg from 'pg';
import { type ConnectOptions, clientConfig } from './pools.ts';

const BATCH = 1000;

export interface StreamOptions extends ConnectOptions {
  signal?: AbortSignal | undefined;
}

/**
 * The rows of a query as they come, a thousand at a time in memory, on a connection and a snapshot of its own. Stops, and
 * closes the connection, when the reader does or the signal is aborted.
 */
export async function* streamRows<T extends object>(
  options: StreamOptions,
  sql: string,
  values: readonly unknown[] = [],
): AsyncIterable<T> {
  const client = new pg.Client(clientConfig({ statementTimeout: 0, ...options }));
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local idle_in_transaction_session_timeout = 0');
    await client.query(`declare rows no scroll cursor for ${sql}`, [...values]);
    for (;;) {
      options.signal?.throwIfAborted();
      const { rows } = await client.query<T>(`fetch ${BATCH} from rows`);
      yield* rows;
      if (rows.length < BATCH) return;
    }
  } finally {
    await client.end();
  }
}
