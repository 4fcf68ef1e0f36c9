import type { AppContext } from '../../app-context.ts';
import { deleteInBatches } from '../../db/bulk.ts';
import { deleteOldViewers } from '../ads/repository.ts';
import { deleteExpiredSessions } from '../auth/session-repository.ts';
import { deleteOldIdempotencyKeys } from '../idempotency/repository.ts';
import { deleteOldVisits } from '../stats/repository.ts';

export const runHousekeeping = async ({ db }: AppContext): Promise<void> => {
  await deleteExpiredSessions(db);
  await deleteOldIdempotencyKeys(db);
  // rate-limiter-flexible keeps expired limits
  await deleteInBatches(db, 'rate_limits', 'expire < extract(epoch from now()) * 1000');
  await deleteOldViewers(db);
  await deleteOldVisits(db);
};
