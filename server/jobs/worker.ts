import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, runOnce, type TaskList, type WorkerEvents, Logger as WorkerLogger } from 'graphile-worker';
import type { App } from '../app.ts';
import { cronItems } from './crontab.ts';
import { type JobHandler, jobs } from './jobs.ts';
import { type JobName, withQueuePool } from './queue.ts';

const AT_ONCE = 4;
const POLL_MS = 2000;
const RESTART_MS = 5000;

export interface Worker {
  /** Takes no new job and waits for the running ones. */
  stop(): Promise<void>;
}

/**
 * Works on the queue for as long as this process lives, and enqueues what the crontab says. When the database goes away it
 * starts anew.
 */
export function startWorker(app: App): Worker {
  const ending = new AbortController();
  const done = keepWorking(app, ending.signal);
  return {
    async stop() {
      ending.abort();
      await done;
    },
  };
}

async function keepWorking(app: App, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await workUntilBroken(app, signal).catch((err: unknown) => app.log.warn({ err }, 'the job queue is down'));
    await sleep(RESTART_MS, undefined, { signal }).catch(() => {});
  }
}

const workUntilBroken = (app: App, signal: AbortSignal): Promise<void> =>
  withQueuePool(app.config.databaseDirectUrl, AT_ONCE + 2, async (pgPool) => {
    const times = { concurrency: AT_ONCE, pollInterval: POLL_MS, parsedCronItems: cronItems() };
    const runner = await run({ ...workOf(app), ...times, pgPool });
    const stop = () => void runner.stop().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      await runner.promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
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
export const runDueJobs = (app: App): Promise<JobResult[]> =>
  withQueuePool(app.config.databaseDirectUrl, 3, async (pgPool) => {
    const results: JobResult[] = [];
    const events: WorkerEvents = new EventEmitter();
    events.on('job:complete', ({ job, error }) => {
      const status = error ? 'failed' : 'done';
      results.push({ id: job.id, name: job.task_identifier, status, error: error ? (error as Error).message : null });
    });
    await runOnce({ ...workOf(app), pgPool, events });
    return results;
  });

const workOf = (app: App) => ({
  taskList: Object.fromEntries(Object.keys(jobs).map((name) => [name, toTask(app, name as JobName)])),
  noHandleSignals: true,
  logger: new WorkerLogger(() => (level, message) => app.log.debug({ queue: level }, message)),
});

const toTask =
  (app: App, name: JobName): TaskList[string] =>
  async (payload, { job, abortSignal }) => {
    const handle = jobs[name] as JobHandler<JobName>;
    try {
      const info = { attempt: job.attempts, maxAttempts: job.max_attempts, signal: abortSignal };
      await handle(app, payload as never, info);
    } catch (err) {
      app.log.error({ err, job: name, attempt: job.attempts }, 'a job failed');
      throw err;
    }
  };
