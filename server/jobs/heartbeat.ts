import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { type QueueWorker, reapDeadWorker, releaseJobs } from './queue.ts';

const BEAT_MS = 15_000;
/** Consecutive checks (a minute) with an unchanged heartbeat after which a worker counts as dead. */
const MAX_SILENT_CHECKS = 4;

/**
 * Returns a function that finds dead workers in the heartbeats of each check. It counts checks instead of time,
 * because clocks differ between machines, and because all workers pause when a machine is suspended.
 */
export function createHeartbeatMonitor(
  maxSilentChecks = MAX_SILENT_CHECKS,
): (workers: readonly QueueWorker[]) => QueueWorker[] {
  let seen = new Map<string, { beats: string; silent: number }>();
  return (workers) => {
    const before = seen;
    seen = new Map(
      workers.map(({ id, beats }) => {
        const last = before.get(id);
        return [id, { beats, silent: last?.beats === beats ? last.silent + 1 : 0 }];
      }),
    );
    return workers.filter(({ id }) => (seen.get(id)?.silent ?? 0) >= maxSilentChecks);
  };
}

type Connection = Pick<pg.Pool, 'query'>;

const recordHeartbeat = (connection: Connection, id: string): Promise<unknown> =>
  connection.query(
    'insert into queue_workers as w (id) values ($1) on conflict (id) do update set beats = w.beats + 1',
    [id],
  );

/** Adds workers that hold jobs but have no heartbeat: they may have been killed before their first one. */
const recordJobHolders = (connection: Connection): Promise<unknown> =>
  // ordered, so that concurrent checks cannot deadlock
  connection.query(
    `insert into queue_workers (id)
       select distinct locked_by from graphile_worker.jobs where locked_by is not null order by locked_by
     on conflict do nothing`,
  );

const listWorkers = async (connection: Connection): Promise<QueueWorker[]> =>
  (await connection.query<QueueWorker>('select id, beats::text from queue_workers')).rows;

export interface Heartbeat {
  /** Stops the heartbeat of a worker that has ended, and releases the jobs that it may still have locked. */
  stop(): Promise<void>;
}

/**
 * Records the heartbeat of the worker `id` and reaps dead workers: graphile-worker would keep their jobs locked for
 * four hours. A worker that cannot record its own heartbeat reaps none, because the database may be unavailable.
 * `connection` must not be a pool that requests or jobs exhaust.
 */
export function startHeartbeat(ctx: AppContext, connection: pg.Pool, id: string, beatMs = BEAT_MS): Heartbeat {
  const stopping = new AbortController();
  const findDead = createHeartbeatMonitor();
  const check = async (): Promise<void> => {
    await recordHeartbeat(connection, id);
    await recordJobHolders(connection);
    for (const worker of findDead(await listWorkers(connection))) {
      const jobs = await reapDeadWorker(ctx.db, worker);
      if (jobs !== undefined)
        ctx.log.warn({ worker: worker.id, jobs }, 'a worker was killed: its jobs were released and run again');
    }
  };
  const keepChecking = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await check().catch((err: unknown) => ctx.log.warn({ err }, 'the heartbeat of the job queue failed'));
      await sleep(beatMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  };
  const checking = keepChecking();
  return {
    async stop() {
      stopping.abort();
      await checking;
      // if the database is unavailable, another worker reaps this one
      await releaseJobs(ctx.db, [id]).catch(() => {});
    },
  };
}
