import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  parseCronItems,
  run,
  runOnce,
  type TaskList,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { withQueuePool } from '../db/pools.ts';
import { withDatabase } from '../db/transaction.ts';
import {
  CRONTAB,
  isSuperseded,
  type JobHandler,
  type JobHandlers,
  type JobName,
  type JobPayloads,
  LANES,
  type Lane,
  type QueueWorker,
  reapDeadWorker,
  releaseJobs,
} from './queue.ts';

const CONCURRENCY = 4;
/** A refresh of tokens holds a connection of the jobs pool while X answers. */
const X_CONCURRENCY = 2;
/** One sends, whatever there is, and the other wakes it for what comes next. */
const WEBHOOK_CONCURRENCY = 2;
/** Each holds a photo of up to 20 MB while it is decoded. */
const PHOTO_CONCURRENCY = 2;
const POLL_MS = 2000;
const RESTART_MS = 5000;
/** Connections that the lanes share for short statements; each lane also listens with one of its own. */
const SHARED_CONNECTIONS = 4;

export interface Worker {
  /**
   * Takes no new jobs and waits up to `graceMs` for the running ones. Then requeues the unfinished ones for another
   * process and returns their number. A `graceMs` shorter than a query may miss a job that is just being taken.
   */
  stop(graceMs: number): Promise<number>;
}

/** Runs jobs, and enqueues those of the crontab, until it is stopped. Restarts after a database outage. */
export function startWorker(ctx: AppContext, handlers: JobHandlers, beatMs?: number): Worker {
  const stopping = new AbortController();
  const workerIds = new Set<string>();
  const lanes = listLanes(ctx, handlers);
  const done = withQueuePool(queueOptions(ctx, lanes.length + SHARED_CONNECTIONS), (pgPool) =>
    Promise.all(lanes.map((lane) => keepRunning(ctx, lane, { pgPool, workerIds, beatMs }, stopping.signal))),
  );
  return {
    async stop(graceMs) {
      stopping.abort();
      const isDone = await Promise.race([done.then(() => true), sleep(graceMs, false, { ref: false })]);
      return isDone ? 0 : releaseJobs(ctx.db, [...workerIds]);
    },
  };
}

const queueOptions = ({ config }: AppContext, poolMax: number) => ({
  url: config.databaseDirectUrl,
  clockOffset: config.clockOffset,
  poolMax,
});

interface LaneWork {
  name: Lane | 'general';
  handlers: Partial<JobHandlers>;
  concurrency: number;
}

const listLanes = ({ config }: AppContext, handlers: JobHandlers): LaneWork[] => {
  const bulkMail = Math.floor(config.mailConnections / 2);
  const mail = config.mailConnections - bulkMail;
  const concurrency: Record<Lane, number> = {
    mail,
    bulkMail,
    push: CONCURRENCY,
    webhooks: WEBHOOK_CONCURRENCY,
    x: X_CONCURRENCY,
    photos: PHOTO_CONCURRENCY,
  };
  const pick = (isWanted: (job: JobName) => boolean): Partial<JobHandlers> =>
    Object.fromEntries(Object.entries(handlers).filter(([job]) => isWanted(job as JobName)));
  const lanes = Object.entries(LANES) as [Lane, readonly JobName[]][];
  const inLanes = lanes.flatMap(([, jobs]) => jobs);
  return [
    { name: 'general', handlers: pick((job) => !inLanes.includes(job)), concurrency: CONCURRENCY },
    ...lanes.map(([name, jobs]) => ({
      name,
      handlers: pick((job) => jobs.includes(job)),
      concurrency: concurrency[name],
    })),
  ];
};

interface WorkerOptions {
  pgPool: pg.Pool;
  workerIds: Set<string>;
  beatMs: number | undefined;
}

async function keepRunning(ctx: AppContext, lane: LaneWork, options: WorkerOptions, signal: AbortSignal) {
  while (!signal.aborted) {
    await runUntilError(ctx, lane, options, signal).catch((err: unknown) =>
      ctx.log.warn({ err, lane: lane.name }, 'the job queue is down'),
    );
    await sleep(RESTART_MS, undefined, { signal }).catch(() => {});
  }
}

const runUntilError = (
  ctx: AppContext,
  { name, handlers, concurrency }: LaneWork,
  { pgPool, workerIds, beatMs }: WorkerOptions,
  signal: AbortSignal,
): Promise<void> =>
  withHeartbeat(ctx, pgPool, beatMs, async (events) => {
    events.on('pool:create', ({ workerPool }) => workerIds.add(workerPool.id));
    const runner = await run({
      ...runnerOptions(ctx, handlers),
      concurrency,
      pollInterval: POLL_MS,
      parsedCronItems: name === 'general' ? toCronItems() : [],
      pgPool,
      events,
    });
    const stop = () => void runner.stop().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await runner.promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  });

const withHeartbeat = <R>(
  ctx: AppContext,
  pgPool: pg.Pool,
  beatMs: number | undefined,
  work: (events: WorkerEvents) => Promise<R>,
): Promise<R> => {
  const events: WorkerEvents = new EventEmitter();
  let heartbeat: Heartbeat | undefined;
  events.on('pool:create', ({ workerPool }) => {
    heartbeat = startHeartbeat(ctx, pgPool, workerPool.id, beatMs);
  });
  return work(events).finally(() => heartbeat?.stop());
};

export interface JobResult {
  id: string;
  name: string;
  /** A failed job is retried later, unless it has used up its attempts. */
  status: 'done' | 'failed';
  error: string | null;
}

/** Runs every due job, one after another, and returns the results; for `marketctl` and tests. */
export const runDueJobs = (ctx: AppContext, handlers: JobHandlers): Promise<JobResult[]> =>
  withQueuePool(queueOptions(ctx, 3), (pgPool) =>
    withHeartbeat(ctx, pgPool, undefined, async (events) => {
      const results: JobResult[] = [];
      events.on('job:complete', ({ job, error }) => {
        const status = error ? 'failed' : 'done';
        results.push({ id: job.id, name: job.task_identifier, status, error: error ? (error as Error).message : null });
      });
      await runOnce({ ...runnerOptions(ctx, handlers), pgPool, events });
      return results;
    }),
  );

const toCronItems = () =>
  parseCronItems(
    Object.entries(CRONTAB).map(([task, match]) => ({ task, match, options: { jobKey: task, maxAttempts: 1 } })),
  );

/**
 * graphile-worker records finished jobs in batches. A stopping worker waits for them only if the delay is set:
 * otherwise finished jobs stay locked or run twice.
 */
const NO_BATCH_DELAY = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

function runnerOptions(ctx: AppContext, handlers: Partial<JobHandlers>) {
  const jobCtx = withDatabase(ctx, ctx.jobsDb);
  return {
    preset: { worker: NO_BATCH_DELAY },
    taskList: Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => [name, toTask(jobCtx, name, handler as JobHandler<JobName>)]),
    ),
    noHandleSignals: true,
    logger: new WorkerLogger(() => (level, message) => ctx.log.debug({ queue: level }, message)),
  };
}

const toTask =
  (ctx: AppContext, name: string, handler: JobHandler<JobName>): TaskList[string] =>
  async (payload, { job, abortSignal }) => {
    try {
      await handler(ctx, payload as JobPayloads[JobName], {
        attempt: job.attempts,
        maxAttempts: job.max_attempts,
        signal: abortSignal,
      });
    } catch (err) {
      ctx.log.error({ err, job: name, attempt: job.attempts }, 'a job failed');
      // else it would count as failed for good
      if (job.key !== null && (await isSuperseded(ctx.db, job.id).catch(() => false))) return;
      throw err;
    }
  };

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

interface Heartbeat {
  /** Stops the heartbeat of a worker that has ended, and releases the jobs that it may still have locked. */
  stop(): Promise<void>;
}

/**
 * Records the heartbeat of the worker `id` and reaps dead workers: graphile-worker would keep their jobs locked for
 * four hours. A worker that cannot record its own heartbeat reaps none, because the database may be unavailable.
 * `connection` must not be a pool that requests or jobs exhaust.
 */
function startHeartbeat(ctx: AppContext, connection: pg.Pool, id: string, beatMs = BEAT_MS): Heartbeat {
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
