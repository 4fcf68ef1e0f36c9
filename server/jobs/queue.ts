import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { clientConfig, type Trx } from '../db/pools.ts';

/** Every job by name, with what it is told. Payloads are ids: a job reads the rows when it runs. */
export interface JobPayloads {
  'post-to-x': { postId: string };
  'mail-contact': { contactMessageId: string };
  'store-card': { sha256: string };

  'update-seller-ads': { userId: string };
  'sweep-x-posts': Record<string, never>;
  /** Sealed, in base64. */
  'revoke-x-tokens': {
    userId: string;
    env: 'live' | 'sandbox';
    keyId: string;
    access: string | null;
    refresh: string | null;
  };
  'fold-counters': Record<string, never>;
  'expire-ads': Record<string, never>;
  'clean-up': Record<string, never>;
  'count-search-words': Record<string, never>;
  'collect-images': Record<string, never>;
}

export type JobName = keyof JobPayloads;

export interface EnqueueOptions {
  /** Not before; default at once. */
  runAt?: Date;
  /** A waiting job with the same key is replaced instead of doubled. */
  key?: string;
  /** Tries until a job that throws is given up; default 25, over three days. */
  maxAttempts?: number;
}

/**
 * Puts a job into the queue with the caller's transaction: it exists if, and only if, that commits. Workers are told at
 * once by NOTIFY.
 */
export async function enqueue<N extends JobName>(
  trx: Trx,
  name: N,
  payload: JobPayloads[N],
  { runAt, key, maxAttempts }: EnqueueOptions = {},
): Promise<void> {
  await trx.raw(
    `select 1 from graphile_worker.add_job(?, payload := ?::json, run_at := coalesce(?::timestamptz, now()),
       job_key := ?::text, max_attempts := coalesce(?::int, 25))`,
    [name, JSON.stringify(payload), runAt?.toISOString() ?? null, key ?? null, maxAttempts ?? null],
  );
}

/** A pool as graphile-worker wants it: our session settings, pg's own type parsers. Closed when the work is done. */
export async function withQueuePool<R>(url: string, max: number, work: (pool: pg.Pool) => Promise<R>): Promise<R> {
  const { types: _ours, ...config } = clientConfig({ url, name: 'tradepost jobs', statementTimeout: 60_000 });
  const pool = new pg.Pool({ ...config, max });
  // a connection that is lost is replaced; whoever used it gets the error
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Creates or upgrades the queue's tables; part of `migrateUp`, which holds the lock. `url` must be a direct connection. */
export const installQueue = (url: string): Promise<void> =>
  withQueuePool(url, 1, (pgPool) => runMigrations({ pgPool }));
