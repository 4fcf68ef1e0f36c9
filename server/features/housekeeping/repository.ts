import type { Db } from '../../db/pools.ts';

/** Sums up the appended deltas of the counters. */
export const foldCounters = async (db: Db): Promise<void> => {
  await db.raw('select fold_counters()');
};

/** Limits whose time is over; rate-limiter-flexible leaves them behind. */
export const deleteOldRateLimits = (db: Db): Promise<number> =>
  db('rate_limits').whereRaw('expire < extract(epoch from now()) * 1000').delete();
