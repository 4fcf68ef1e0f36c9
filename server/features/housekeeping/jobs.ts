import type { App } from '../../app-context.ts';
import { forgetViewers } from '../ads/views.ts';
import { deleteExpiredSessions } from '../auth/session-repository.ts';
import { deleteOldIdempotencyKeys } from '../idempotency/repository.ts';
import { deleteOldVisits } from '../stats/repository.ts';
import { deleteOldRateLimits, foldCounters } from './repository.ts';

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
