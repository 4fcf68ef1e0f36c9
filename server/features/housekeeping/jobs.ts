import type { AppContext } from '../../app-context.ts';
import { deleteOldViewers } from '../ads/views.ts';
import { deleteExpiredSessions } from '../auth/session-repository.ts';
import { deleteOldIdempotencyKeys } from '../idempotency/repository.ts';
import { deleteOldVisits } from '../stats/repository.ts';
import { deleteOldRateLimits, foldCounters } from './repository.ts';

const BATCH = 1000;

/** Sums up the counters' deltas. */
export const foldCounterDeltas = ({ db }: AppContext): Promise<void> => foldCounters(db);

/** Removes what has had its time. */
export const runHousekeeping = async ({ db }: AppContext): Promise<void> => {
  while ((await deleteExpiredSessions(db, BATCH)) === BATCH);
  await deleteOldIdempotencyKeys(db);
  await deleteOldRateLimits(db);
  await deleteOldViewers(db);
  await deleteOldVisits(db);
};
