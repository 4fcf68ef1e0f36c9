import type { AppContext } from '../app-context.ts';
import type { Db, Trx } from '../db/pools.ts';
import type { Tables } from '../db/tables.ts';
import { inTransaction } from '../db/transaction.ts';

/** Every job by name, with its payload. Payloads are ids: a job reads the rows when it runs. */
export interface JobPayloads {
  'post-to-x': { postId: string };
  'mail-contact': { contactMessageId: string };
  'mail-confirmation': { userId: string; pendingId: string };
  /** `to`: the address when it happened, beside the one of now. Absent in jobs of the previous release. */
  'mail-access-news': { notificationId: string; to?: string | null };
  /** The address itself: whether anyone has it is found out by the job. */
  'mail-recovery': { email: string };
  'store-card': { sha256: string };
  'run-import': { importId: string };
  'fetch-photos': { adId: string };
  'copy-avatar': { userId: string };

  'update-seller-ads': { userId: string };
  'delete-notifications-about': { userId: string };
  'fan-out': { kind: Tables['fan_outs']['kind']; subjectId: string };
  'remind-of-messages': { conversationId: string; receiverId: string };
  'notify-of-sale': { adId: string };
  'dispatch-notifications': { ids: readonly string[] };
  'deliver-mail': { notificationId: string };
  'deliver-bulk-mail': { notificationId: string };
  'deliver-push': { notificationId: string };
  'send-webhooks': Record<string, never>;
  'sweep-deliveries': Record<string, never>;
  'handle-publications': Record<string, never>;
  'notify-searches': Record<string, never>;
  'end-suspensions': Record<string, never>;
  'reveal-ratings': Record<string, never>;
  'sweep-x-posts': Record<string, never>;
  'revoke-x-tokens': {
    userId: string;
    env: 'live' | 'sandbox';
    keyId: string;
    access: string | null;
    refresh: string | null;
  };
  'fold-counters': Record<string, never>;
  'expire-ads': Record<string, never>;
  'ask-about-expiry': Record<string, never>;
  'expire-offers': Record<string, never>;
  'end-reservations': Record<string, never>;
  'clean-up': Record<string, never>;
  'index-ads': Record<string, never>;
  'count-search-words': Record<string, never>;
  'time-answers': Record<string, never>;
  'count-ads-of-places': Record<string, never>;
  'collect-images': Record<string, never>;
  'refresh-avatars': Record<string, never>;
  'record-table-sizes': Record<string, never>;
  'count-daily-figures': Record<string, never>;
  'load-places': Record<string, never>;

  // replicas of the previous release enqueue them during an upgrade
  'match-new-ads': Record<string, never>;
  'deliver-notice': { noticeId: string };
  'announce-new-ads': { sellerId: string };
  'notify-price-drop': { adId: string };
}

export type JobName = keyof JobPayloads;

/**
 * Jobs that wait for the servers of others. Each lane has workers of its own, so that a slow server delays neither the
 * other lanes nor the general jobs.
 */
export const LANES = {
  mail: ['mail-contact', 'mail-confirmation', 'mail-access-news', 'mail-recovery', 'deliver-mail'],
  bulkMail: ['deliver-bulk-mail'],
  push: ['deliver-push'],
  webhooks: ['send-webhooks'],
  x: ['post-to-x', 'revoke-x-tokens', 'copy-avatar'],
  photos: ['fetch-photos'],
} as const satisfies Record<string, readonly JobName[]>;
export type Lane = keyof typeof LANES;

export interface JobRun {
  attempt: number;
  maxAttempts: number;
  signal: AbortSignal;
}

/**
 * Runs at least once, possibly twice concurrently; after an error it is retried at growing intervals. `ctx.db` is the
 * jobs pool: a statement may run for a minute, longer after `setStatementTimeout` (server/db/transaction.ts).
 */
export type JobHandler<N extends JobName> = (ctx: AppContext, payload: JobPayloads[N], run: JobRun) => Promise<void>;

/** A handler for each job: a payload without a handler does not compile. See server/job-handlers.ts. */
export type JobHandlers = { readonly [N in JobName]: JobHandler<N> };

type WithoutPayload = {
  [N in JobName]: JobPayloads[N] extends Record<string, never> ? N : never;
}[JobName];

/** Jobs that the workers enqueue: minute, hour, day, month, weekday (UTC). One replica runs each. */
export const CRONTAB = {
  'send-webhooks': '* * * * *',
  'sweep-x-posts': '* * * * *',
  'sweep-deliveries': '* * * * *',
  'end-suspensions': '* * * * *',
  'reveal-ratings': '* * * * *',
  'fold-counters': '* * * * *',
  'expire-ads': '* * * * *',
  'handle-publications': '* * * * *',
  'notify-searches': '* * * * *',
  'ask-about-expiry': '* * * * *',
  'expire-offers': '* * * * *',
  'end-reservations': '* * * * *',
  'clean-up': '17 * * * *',
  'index-ads': '* * * * *',
  'count-search-words': '7 4 * * *',
  'time-answers': '37 3 * * *',
  'count-ads-of-places': '47 * * * *',
  'collect-images': '37 * * * *',
  'refresh-avatars': '*/10 * * * *',
  'record-table-sizes': '23 3 * * *',
  'count-daily-figures': '* * * * *',
  'load-places': '* * * * *',
} as const satisfies Partial<Record<WithoutPayload, string>>;

/** Jobs of the crontab; an operator may run them at any time. */
export const PERIODIC_JOBS = Object.keys(CRONTAB) as (keyof typeof CRONTAB)[];

export interface EnqueueOptions {
  runAt?: Date;
  /** Replaces a waiting job with the same key. */
  key?: string;
  /** Maximum attempts of a job that throws; default 25, over three days. */
  maxAttempts?: number;
  /** Jobs with a lower number run first; default 0. */
  priority?: number;
}

/**
 * Enqueues a job in the caller's transaction: the job exists if, and only if, that commits. NOTIFY wakes the workers.
 */
export const enqueue = <N extends JobName>(
  trx: Trx,
  name: N,
  payload: JobPayloads[N],
  options: EnqueueOptions = {},
): Promise<void> => enqueueAll(trx, name, [{ payload, ...options }]);

/** Like enqueue, for any number of jobs in one statement. */
export async function enqueueAll<N extends JobName>(
  trx: Trx,
  name: N,
  jobs: readonly (EnqueueOptions & { payload: JobPayloads[N] })[],
): Promise<void> {
  await trx.raw(
    `select graphile_worker.add_job(?, payload := payload, run_at := coalesce("runAt", now()), job_key := key,
       max_attempts := coalesce("maxAttempts", 25), priority := coalesce(priority, 0))
     from json_to_recordset(?) as job(payload json, "runAt" timestamptz, key text, "maxAttempts" int, priority int)`,
    [name, JSON.stringify(jobs)],
  );
}

export interface QueuedJob {
  id: string;
  name: string;
  state: 'waiting' | 'running' | 'failed';
  run_at: string;
  attempts: number;
  max_attempts: number;
  last_error: string | null;
  created_at: string;
}

export interface JobFilter {
  state?: QueuedJob['state'] | undefined;
  name?: string | undefined;
  isDue?: boolean | undefined;
  limit: number;
}

/** The jobs of the queue, next first. It keeps no finished jobs; failed ones have used up their attempts. */
export const listQueuedJobs = async (db: Db, { state, name, isDue, limit }: JobFilter): Promise<QueuedJob[]> => {
  const { rows } = await db.raw<{ rows: QueuedJob[] }>(
    `select * from (
       select id, task_identifier as name, run_at, attempts, max_attempts, last_error, created_at,
         case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed' else 'waiting' end as state
       from graphile_worker.jobs) jobs
     where (:state::text is null or state = :state) and (:name::text is null or name = :name)
       and (not :isDue::boolean or run_at <= now())
     order by run_at, id limit :limit`,
    { state: state ?? null, name: name ?? null, isDue: isDue ?? false, limit },
  );
  return rows;
};

/** Mail waits for its turn, for hours after a notice to everyone: readDeliveryTotals counts it. */
const PACED_JOBS: readonly string[] = ['deliver-mail', 'deliver-bulk-mail'] satisfies JobName[];

/** Counts jobs that could run now, apart from paced ones, and jobs that have used up their attempts; for metrics. */
export const readJobTotals = async (db: Db): Promise<{ jobsWaiting: number; jobsFailed: number }> => {
  const { rows } = await db.raw<{ rows: { jobsWaiting: number; jobsFailed: number }[] }>(
    `select count(*) filter (
         where attempts < max_attempts and run_at <= now() and task_identifier <> all(?::text[]))::int as "jobsWaiting",
       count(*) filter (where attempts >= max_attempts)::int as "jobsFailed"
     from graphile_worker.jobs where locked_at is null`,
    [[...PACED_JOBS]],
  );
  return rows[0]!;
};

/** Counts the jobs that do not run. `late`: those due for ten minutes and more, apart from paced ones. */
export const countJobs = async (db: Db): Promise<{ waiting: number; late: number; failed: number }> => {
  const { rows } = await db.raw<{ rows: { waiting: number; late: number; failed: number }[] }>(
    `select count(*) filter (where attempts < max_attempts)::int as waiting,
       count(*) filter (
         where attempts < max_attempts and run_at < now() - interval '10 minutes'
           and task_identifier <> all(?::text[]))::int as late,
       count(*) filter (where attempts >= max_attempts)::int as failed
     from graphile_worker.jobs where locked_at is null`,
    [[...PACED_JOBS]],
  );
  return rows[0]!;
};

/** Makes jobs that are not running due now and resets their attempts. Returns the ids of the changed ones. */
export const retryJobs = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    'select id from graphile_worker.reschedule_jobs(?::bigint[], run_at := now(), attempts := 0)',
    [[...ids]],
  );
  return rows.map(({ id }) => id);
};

/**
 * Whether a running job with a key was enqueued again, or removed: graphile-worker then takes its key and further
 * attempts away. If there is a successor, it does the work.
 */
export const isSuperseded = async (db: Db, id: string): Promise<boolean> =>
  (await db('graphile_worker.jobs').where({ id, key: null }).first('id')) !== undefined;

interface HeldJob {
  id: string;
  name: string;
  attempts: number;
}

async function unlockJobs(trx: Trx, workers: readonly string[]): Promise<HeldJob[]> {
  const { rows } = await trx.raw<{ rows: HeldJob[] }>(
    'select id, task_identifier as name, attempts from graphile_worker.jobs where locked_by = any(?::text[])',
    [[...workers]],
  );
  await trx.raw('select graphile_worker.force_unlock_workers(?::text[])', [[...workers]]);
  await trx('queue_workers').whereIn('id', workers).delete();
  return rows;
}

/**
 * Releases the jobs that these workers of a stopping process still hold: graphile-worker would wait for four hours.
 * The interrupted attempt does not count. Returns the number of jobs.
 */
export const releaseJobs = (db: Db, workers: readonly string[]): Promise<number> =>
  inTransaction(db, async (trx) => {
    const held = await unlockJobs(trx, workers);
    for (const { id, attempts } of held)
      await trx.raw('select graphile_worker.reschedule_jobs(array[?::bigint], run_at := now(), attempts := ?::int)', [
        id,
        attempts - 1,
      ]);
    return held.length;
  });

export interface QueueWorker {
  id: string;
  /** Grows while the process lives. */
  beats: string;
}

/**
 * Releases the jobs of a killed worker, unless its heartbeat has changed. The interrupted attempt counts and the next
 * one waits as after a failure, because the job may have killed the worker. Deletes jobs of the crontab, which are
 * enqueued again. Returns the number of jobs; undefined if the worker lives or another process has reaped it.
 */
export const reapDeadWorker = (db: Db, { id, beats }: QueueWorker): Promise<number | undefined> =>
  inTransaction(db, async (trx) => {
    const known = await trx('queue_workers').where({ id, beats }).forUpdate().first('id');
    if (!known) return undefined;
    const held = await unlockJobs(trx, [id]);
    for (const job of held)
      if (PERIODIC_JOBS.some((name) => name === job.name))
        await trx.raw('select graphile_worker.complete_jobs(array[?::bigint])', [job.id]);
      else
        await trx.raw(
          `select graphile_worker.reschedule_jobs(array[?::bigint],
             run_at := now() + exp(least(?::int, 10)) * interval '1 second')`,
          [job.id, job.attempts],
        );
    return held.length;
  });
