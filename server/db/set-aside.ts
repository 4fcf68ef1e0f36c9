import { cutText } from '../../contract/text.ts';
import type { Db, Trx } from './pools.ts';

/** Work on many rows, of which one that always fails must not stop the others. */
export type Pipeline =
  | 'end-suspensions'
  | 'reveal-ratings'
  | 'end-reservations'
  | 'publications'
  | 'match-searches'
  | 'notify-searches';

export interface SetAside {
  pipeline: Pipeline;
  /** The id of the row. */
  subject: string;
  failures: number;
  error: string;
  failed_at: string;
  retry_at: string;
}

/** Whether a row waits, in SQL. `id`: the expression of its id. */
export const isSetAside = (pipeline: Pipeline, id: string): string =>
  `exists (select from set_aside x where x.pipeline = '${pipeline}' and x.subject = (${id})::text and x.retry_at > now())`;

/** Lets a row wait: a minute after its first failure, twice as long after each other one, a day at most. */
export const setAside = async (db: Db, pipeline: Pipeline, subject: string, error: unknown): Promise<void> => {
  // Knex puts the whole statement first
  const said = error instanceof Error ? error.message : String(error);
  const message = cutText(said.split(' - ').at(-1) ?? said, 300);
  await db.raw(
    `insert into set_aside as s (pipeline, subject, error, retry_at)
     values (:pipeline, :subject, :message, now() + interval '1 minute')
     on conflict (pipeline, subject) do update set failures = s.failures + 1, error = excluded.error, failed_at = now(),
       retry_at = now() + least(interval '1 day', interval '1 minute' * power(2, least(s.failures, 20)))`,
    { pipeline, subject, message },
  );
};

/** The row could be processed. */
export const takeBack = async (db: Db, pipeline: Pipeline, subject: string): Promise<void> => {
  await db('set_aside').where({ pipeline, subject }).delete();
};

/** What was set aside and still fails, the newest failure first. */
export const listSetAside = (db: Db, limit: number): Promise<SetAside[]> =>
  db<SetAside>('set_aside').orderBy('failed_at', 'desc').limit(limit);

const TRANSIENT = /^(08|40|53|55|57)/;

/**
 * Runs a part of a transaction that may fail without ending it. Returns the error, if the data are its cause. @throws what
 * has nothing to do with them: locks, connections, time limits
 */
export async function attempt(trx: Trx, work: () => Promise<unknown>): Promise<Error | undefined> {
  await trx.raw('savepoint attempt');
  try {
    await work();
    await trx.raw('release savepoint attempt');
    return undefined;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (!(error instanceof Error) || (typeof code === 'string' && TRANSIENT.test(code))) throw error;
    await trx.raw('rollback to savepoint attempt');
    return error;
  }
}
