import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { freeJobs, releaseJobs } from './queue-repository.ts';

/** How often a worker says that it lives, and looks whether the others do. */
const BEAT_MS = 15_000;
/** Looks in a row that find a worker as it was, until it is gone: a minute. */
const LOOKS = 4;

/**
 * Tells which workers have not moved for so many looks. Looks are counted, not time: clocks of several machines differ, and
 * after a machine has slept all of them are as silent as each other.
 */
export function createHeartbeatMonitor(looks = LOOKS): (workers: readonly QueueWorker[]) => QueueWorker[] {
  let seen = new Map<string, { beats: string; silent: number }>();
  return (workers) => {
    const before = seen;
    seen = new Map(
      workers.map(({ id, beats }) => {
        const last = before.get(id);
        return [id, { beats, silent: last?.beats === beats ? last.silent + 1 : 0 }];
      }),
    );
    return workers.filter(({ id }) => (seen.get(id)?.silent ?? 0) >= looks);
  };
}

export interface WorkerHeartbeat {
  /** The worker has ended: what it may still have locked is free. */
  end(): Promise<void>;
}

/**
 * Says for a worker that it lives, and frees the jobs of those that were killed: the library would wait for four hours.
 * Whoever cannot say that it lives frees nothing, since it may be the database that is away. `connection` is one past the
 * pools of requests, for which it would have to wait.
 */
export function startWorkerHeartbeat(
  ctx: AppContext,
  connection: pg.Pool,
  id: string,
  everyMs = BEAT_MS,
): WorkerHeartbeat {
  const ending = new AbortController();
  const callRoll = createHeartbeatMonitor();
  const look = async (): Promise<void> => {
    await recordHeartbeat(connection, id);
    await recordJobHolders(connection);
    for (const worker of callRoll(await listWorkers(connection))) {
      const jobs = await freeJobs(ctx.db, worker);
      if (jobs !== undefined) ctx.log.warn({ worker: worker.id, jobs }, 'a worker was killed: its jobs are begun anew');
    }
  };
  const keepLooking = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await look().catch((err: unknown) => ctx.log.warn({ err }, 'workers of the queue do not hear of each other'));
      await sleep(everyMs, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  };
  const looking = keepLooking();
  return {
    async end() {
      ending.abort();
      await looking;
      // a database that is away leaves it to the others
      await releaseJobs(ctx.db, [id]).catch(() => {});
    },
  };
}

/** A process that works on the queue, by the name under which it locks its jobs. */
export interface QueueWorker {
  id: string;
  /** Goes up while it lives. */
  beats: string;
}

type Connection = Pick<pg.Pool, 'query'>;

/** Says that the worker lives. */
export const recordHeartbeat = (connection: Connection, id: string): Promise<unknown> =>
  connection.query(
    'insert into queue_workers as w (id) values ($1) on conflict (id) do update set beats = w.beats + 1',
    [id],
  );

/** Enters whoever holds a job among the workers: one that was killed before it could say that it lives is unknown. */
export const recordJobHolders = (connection: Connection): Promise<unknown> =>
  // in one order: several who look at once must not wait for each other in a circle
  connection.query(
    `insert into queue_workers (id)
       select distinct locked_by from graphile_worker.jobs where locked_by is not null order by locked_by
     on conflict do nothing`,
  );

export const listWorkers = async (connection: Connection): Promise<QueueWorker[]> =>
  (await connection.query<QueueWorker>('select id, beats::text from queue_workers')).rows;
