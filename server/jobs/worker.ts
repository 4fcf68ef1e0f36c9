import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, runOnce, type TaskList, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker';
import type pg from 'pg';
import type { AppContext } from '../app-context.ts';
import { type JobName, withQueuePool } from './queue.ts';
import { releaseJobs } from './queue-repository.ts';
import { type JobHandler, jobs } from './registry.ts';
import { cronItems } from './schedule.ts';
import { startWorkerHeartbeat, type WorkerHeartbeat } from './worker-heartbeat.ts';

const AT_ONCE = 4;
const POLL_MS = 2000;
const RESTART_MS = 5000;

export interface Worker {
  /**
   * Takes no new job and waits for the running ones, for at most `graceMs`; what runs on then goes back into the queue, for
   * another process to begin anew. Returns how many jobs did. A time shorter than a query may miss one that is being taken.
   */
  stop(graceMs: number): Promise<number>;
}

/**
 * Works on the queue for as long as this process lives, and enqueues what the crontab says. When the database goes away it
 * starts anew.
 */
export function startWorker(ctx: AppContext, beatMs?: number): Worker {
  const ending = new AbortController();
  const pools = new Set<string>();
  const done = keepWorking(ctx, { pools, beatMs }, ending.signal);
  return {
    async stop(graceMs) {
      ending.abort();
      const isDone = await Promise.race([done.then(() => true), sleep(graceMs, false, { ref: false })]);
      return isDone ? 0 : releaseJobs(ctx.db, [...pools]);
    },
  };
}

interface Work {
  /** Gets the names under which jobs are locked. */
  pools: Set<string>;
  beatMs: number | undefined;
}

async function keepWorking(ctx: AppContext, work: Work, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await workUntilBroken(ctx, work, signal).catch((err: unknown) => ctx.log.warn({ err }, 'the job queue is down'));
    await sleep(RESTART_MS, undefined, { signal }).catch(() => {});
  }
}

const workUntilBroken = (ctx: AppContext, { pools, beatMs }: Work, signal: AbortSignal): Promise<void> =>
  withPresence(ctx, AT_ONCE + 2, beatMs, async (pgPool, events) => {
    events.on('pool:create', ({ workerPool }) => pools.add(workerPool.id));
    const times = { concurrency: AT_ONCE, pollInterval: POLL_MS, parsedCronItems: cronItems() };
    const runner = await run({ ...workOf(ctx), ...times, pgPool, events });
    const stop = () => void runner.stop().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await runner.promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  });

/** A pool for a worker, which the others know to live until it has ended. */
const withPresence = <R>(
  ctx: AppContext,
  connections: number,
  beatMs: number | undefined,
  work: (pgPool: pg.Pool, events: WorkerEvents) => Promise<R>,
): Promise<R> =>
  withQueuePool(ctx.config.databaseDirectUrl, connections, async (pgPool) => {
    const events: WorkerEvents = new EventEmitter();
    let presence: WorkerHeartbeat | undefined;
    events.on('pool:create', ({ workerPool }) => {
      presence = startWorkerHeartbeat(ctx, pgPool, workerPool.id, beatMs);
    });
    return work(pgPool, events).finally(() => presence?.end());
  });

/** One try of a job. */
export interface JobResult {
  id: string;
  name: string;
  /** A job that failed is tried again later, unless it has used up its tries. */
  status: 'done' | 'failed';
  error: string | null;
}

/** Runs every job that is due, one after the other, and returns how each went: for the terminal and for tests. */
export const runDueJobs = (ctx: AppContext): Promise<JobResult[]> =>
  withPresence(ctx, 3, undefined, async (pgPool, events) => {
    const results: JobResult[] = [];
    events.on('job:complete', ({ job, error }) => {
      const status = error ? 'failed' : 'done';
      results.push({ id: job.id, name: job.task_identifier, status, error: error ? (error as Error).message : null });
    });
    await runOnce({ ...workOf(ctx), pgPool, events });
    return results;
  });

/**
 * How a job ended is written in batches, however small: without them the worker does not wait for it when it stops, and the
 * job stayed locked for four hours, or was done once more.
 */
const AWAITED = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

const workOf = (ctx: AppContext) => ({
  preset: { worker: AWAITED },
  taskList: Object.fromEntries(Object.keys(jobs).map((name) => [name, toTask(ctx, name as JobName)])),
  noHandleSignals: true,
  logger: new WorkerLogger(() => (level, message) => ctx.log.debug({ queue: level }, message)),
});

const toTask =
  (ctx: AppContext, name: JobName): TaskList[string] =>
  async (payload, { job, abortSignal }) => {
    const handle = jobs[name] as JobHandler<JobName>;
    try {
      const info = { attempt: job.attempts, maxAttempts: job.max_attempts, signal: abortSignal };
      await handle(ctx, payload as never, info);
    } catch (err) {
      ctx.log.error({ err, job: name, attempt: job.attempts }, 'a job failed');
      throw err;
    }
  };
