import type { Db, Trx } from '../db/pools.ts';
import { inTransaction } from '../db/transaction.ts';
import { PERIODIC_JOBS } from './schedule.ts';
import type { QueueWorker } from './worker-heartbeat.ts';

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
  /** Only jobs whose time has come. */
  isDue?: boolean | undefined;
  limit: number;
}

/** What the queue holds, next first; jobs that are done leave no trace. Failed ones have used up their tries. */
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

/** How many jobs could run now, and how many have used up their tries; for metrics. */
export const readJobTotals = async (db: Db): Promise<{ jobsWaiting: number; jobsFailed: number }> => {
  const { rows } = await db.raw<{ rows: Record<'waiting' | 'failed', string>[] }>(
    `select count(*) filter (where attempts < max_attempts and run_at <= now()) as waiting,
       count(*) filter (where attempts >= max_attempts) as failed
     from graphile_worker.jobs where locked_at is null`,
  );
  return { jobsWaiting: Number(rows[0]!.waiting), jobsFailed: Number(rows[0]!.failed) };
};

/** Gives jobs all their tries again, from now on; running ones are left alone. Returns the ids of those it did. */
export const retryJobs = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    'select id from graphile_worker.reschedule_jobs(?::bigint[], run_at := now(), attempts := 0)',
    [[...ids]],
  );
  return rows.map(({ id }) => id);
};

interface HeldJob {
  id: string;
  name: string;
  attempts: number;
}

/** Frees what these workers hold, and forgets them. */
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
 * Frees the jobs that these workers hold, for others to take at once: the library itself would wait for four hours. The try
 * that was broken off does not count. Returns how many they were.
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

/**
 * Frees the jobs of a worker that was killed, unless it has moved since it was looked at. The try counts, and the next comes
 * as late as after a failure: it may be the job that kills. Those of the timetable go; it brings them anew. Returns how many
 * jobs they were; undefined where the worker lives or another has freed them.
 */
export const freeJobs = (db: Db, { id, beats }: QueueWorker): Promise<number | undefined> =>
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
