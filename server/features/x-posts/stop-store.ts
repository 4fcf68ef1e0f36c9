import type { Db, Trx } from '../../db/connect.ts';

/** Posting stands still for everybody: X's credits ran out. */
export interface PostingStop {
  reason: string;
  since: string;
  /** When one post may try whether it works again. */
  until: string;
  /** Seconds the next stop would last. */
  nextWait: number;
}

/** Row of the settings table. */
export const STOP_KEY = 'x-posting-stop';
const FIRST_WAIT_S = 3600;
const LONGEST_WAIT_S = 6 * 3600;
const PROBE_MS = 3 * 60_000;

export const findStop = async (db: Db): Promise<PostingStop | undefined> =>
  (await db('settings').where({ key: STOP_KEY }).first('value'))?.value;

/** The stop, locked: of many posts that come due at once, one is let through. */
export const lockStop = async (trx: Trx): Promise<PostingStop | undefined> =>
  (await trx('settings').where({ key: STOP_KEY }).forUpdate().first('value'))?.value;

/** Stops all posting, for an hour at first and at most six. */
export const stopPosting = async (db: Db, reason: string, now: Date): Promise<PostingStop> => {
  const before = await findStop(db);
  const wait = before?.nextWait ?? FIRST_WAIT_S;
  const stop: PostingStop = {
    reason,
    since: before?.since ?? now.toISOString(),
    until: new Date(now.valueOf() + wait * 1000).toISOString(),
    nextWait: Math.min(wait * 2, LONGEST_WAIT_S),
  };
  const row = { value: JSON.stringify(stop), updated_at: db.fn.now() };
  await db('settings')
    .insert({ key: STOP_KEY, ...row })
    .onConflict('key')
    .merge(row);
  return stop;
};

/** Posting works again. Returns whether it was stopped. */
export const resumePosting = async (db: Db): Promise<boolean> =>
  (await db('settings').where({ key: STOP_KEY }).delete()) === 1;

/** One post tries; the others wait a few minutes for what comes of it. */
export const holdStop = async (db: Db, stop: PostingStop, now: Date): Promise<void> => {
  const until = new Date(now.valueOf() + PROBE_MS).toISOString();
  await db('settings')
    .where({ key: STOP_KEY })
    .update({ value: JSON.stringify({ ...stop, until }) });
};
