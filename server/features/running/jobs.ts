import type { App } from '../../app.ts';
import { forgetViewers } from '../ads/views-store.ts';
import { deleteExpiredSessions } from '../auth/session-store.ts';
import { deleteOldIdempotencyKeys } from '../idempotency/store.ts';
import { deleteOldVisits } from '../stats/visits-store.ts';
import { deleteOldRateLimits, foldCounters } from './store.ts';

const BATCH = 1000;

/** Sums up the counters' deltas. */
export const foldCounterDeltas = ({ db }: App): Promise<void> => foldCounters(db);

/** Removes what has had its time. */
export const cleanUp = async ({ db }: App): Promise<void> => {
  while ((await deleteExpiredSessions(db, BATCH)) === BATCH);
  await deleteOldIdempotencyKeys(db);
  await deleteOldRateLimits(db);
  await forgetViewers(db);
  await deleteOldVisits(db);
};
