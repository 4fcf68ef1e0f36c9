import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { forbidden, notFound } from '../../errors.ts';
import { mayChangeAd, maySeeAd, type UserActor } from '../../policy.ts';
import { toExpiryPathPrefix } from '../notifications/expiry-links.ts';
import { markSubjectRead } from '../notifications/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { findAd, lockAdForUpdate } from './repository.ts';

/** @throws {AppError} not_found (also for the hidden ad of another user), forbidden */
export const checkOwnAd = async ({ db }: Pick<AppContext, 'db'>, actor: UserActor, id: string): Promise<void> => {
  const ad = await findAd(db, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('Ad not found');
  if (!mayChangeAd(actor, ad)) throw forbidden('This is not your ad');
};

/**
 * Locks the actor's row, then their ad (users before ads, everywhere). Another user's ad is forbidden when it is
 * public and not found when it is hidden.
 */
export const lockOwnAd = async (trx: Trx, actor: UserActor, id: string): Promise<{ ad: AdRow; owner: UserRow }> => {
  const owner = await lockActiveActor(trx, actor);
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('Ad not found');
  if (!mayChangeAd(actor, ad)) throw forbidden('This is not your ad');
  return { ad, owner };
};

/** The question whether the ad is still available is settled. */
export const settleExpiry = (trx: Trx, ownerId: string, adId: string): Promise<void> =>
  markSubjectRead(trx, ownerId, { kinds: ['ad_expiring', 'ad_expired'], path: toExpiryPathPrefix(adId) });
