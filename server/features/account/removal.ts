import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueue } from '../../jobs/queue.ts';
import { updateSellerAds } from '../ads/repository.ts';
import { insertBan } from '../auth/repository.ts';
import { endSessions } from '../auth/session-repository.ts';
import { lockUserForUpdate, setBan, updateUser } from '../users/repository.ts';
import { disconnectAccount } from '../x-posts/tokens.ts';
import { anonymizeUser } from './repository.ts';

/** Ads that one transaction changes. A person may have tens of thousands, each in ten indexes. */
const BATCH = 500;

/** Ends a person's sessions and takes their ads out of public view. */
export async function ban(trx: Trx, { id }: UserRow, reason: string | null): Promise<void> {
  await setBan(trx, id, { reason });
  await endSessions(trx, { userId: id });
  await beginAdsUpdate(trx, id);
}

/** Lifts a ban; the ads come back as far as their time is not over. */
export async function unban(trx: Trx, { id }: UserRow): Promise<void> {
  await setBan(trx, id, null);
  await beginAdsUpdate(trx, id);
}

/** Deletes a person with everything but their messages, which stay for the other party. A ban outlives the person. */
export async function remove(trx: Trx, { id, x_id, banned_at }: UserRow): Promise<void> {
  if (x_id && banned_at) await insertBan(trx, x_id, banned_at);
  await endSessions(trx, { userId: id });
  await disconnectAccount(trx, id);
  await anonymizeUser(trx, id);
  await beginAdsUpdate(trx, id);
}

/**
 * Brings the ads in line with what has just been decided about their seller. Readers go by the seller's row at once
 * (SELECT_ADS); the ads follow: the first batch now, which is all of them for most people, the others in a job.
 */
async function beginAdsUpdate(trx: Trx, userId: string): Promise<void> {
  const user = await lockUserForUpdate(trx, userId);
  const isPending = (await updateSellerAds(trx, user!, BATCH)) === BATCH;
  if (isPending !== user!.ads_pending) await updateUser(trx, userId, { ads_pending: isPending });
  if (isPending) await enqueue(trx, 'update-seller-ads', { userId }, { key: `seller-ads-${userId}` });
}

/**
 * Changes the remaining ads of a person who was banned, unbanned or deleted, in short transactions. Several may run at
 * the same time, and the person may be banned or unbanned meanwhile: each batch goes by the person's row, which it locks.
 */
export async function finishAdsUpdate(
  { db }: Pick<AppContext, 'db'>,
  userId: string,
  onBatch: (changed: number) => void | Promise<void> = () => {},
): Promise<void> {
  for (let isPending = true, total = 0; isPending; ) {
    const changed = await inTransaction(db, async (trx) => {
      const user = await lockUserForUpdate(trx, userId);
      if (!user?.ads_pending) return 0;
      const changed = await updateSellerAds(trx, user, BATCH);
      if (changed < BATCH) await updateUser(trx, userId, { ads_pending: false });
      return changed;
    });
    isPending = changed === BATCH;
    total += changed;
    await onBatch(total);
  }
}
