import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { invalid } from '../../errors.ts';
import { isPublicKey, isPushAddress, type PushTarget } from '../../integrations/push/push.ts';
import type { UserActor } from '../../policy.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { lockUserForUpdate } from '../users/repository.ts';
import { deleteOldestSubscriptions, type PushDeviceRow, upsertSubscription } from './repository.ts';

/**
 * Sends the actor's push notifications to a browser, until the given session ends. A browser belongs to the user who
 * subscribed it last. Beyond LIMITS.pushSubscriptions the oldest browser is forgotten.
 * @throws {AppError} validation_failed
 */
export const subscribeBrowser = (
  ctx: AppContext,
  actor: UserActor,
  target: PushTarget,
  sessionHash: Buffer | undefined,
): Promise<PushDeviceRow & { is_new: boolean }> => {
  if (!isPushAddress(target.endpoint, ctx.config)) throw invalid({ endpoint: 'errors.publicHttps' });
  if (!isPublicKey(target.p256dh)) throw invalid({ keys: 'errors.browserKeys' });
  return inTransaction(ctx.db, async (trx) => {
    // subscribing in two browsers at once must not exceed the limit
    await lockUserForUpdate(trx, actor.id);
    await lockActiveActor(trx, actor);
    const device = await upsertSubscription(trx, { ...target, userId: actor.id, sessionHash });
    await deleteOldestSubscriptions(trx, actor.id);
    return device;
  });
};
