import type { AdState } from '../../../contract/ads.ts';
import { canRenew } from '../../../contract/expiry.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, forbidden, notFound } from '../../errors.ts';
import { mayChangeAd, maySeeAd, type UserActor } from '../../policy.ts';
import { toExpiryPathPrefix } from '../notifications/expiry-links.ts';
import { markSubjectRead } from '../notifications/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { announceReviewed } from './moderation.ts';
import { type AdDetails, findAd, forgetPausedByFile, inDays, lockAdForUpdate, updateOwnAd } from './repository.ts';

/** @throws {AppError} not_found (also for the hidden ad of another user), forbidden */
export const checkOwnAd = async ({ db }: Pick<AppContext, 'db'>, actor: UserActor, id: string): Promise<AdDetails> => {
  const ad = await findAd(db, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('errors.adNotFound');
  if (!mayChangeAd(actor, ad)) throw forbidden('errors.notYourAd');
  return ad;
};

/**
 * Locks the actor's row, then their ad (users before ads, everywhere). Another user's ad is forbidden when it is
 * public and not found when it is hidden.
 */
export const lockOwnAd = async (trx: Trx, actor: UserActor, id: string): Promise<{ ad: AdRow; owner: UserRow }> => {
  const owner = await lockActiveActor(trx, actor);
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('errors.adNotFound');
  if (!mayChangeAd(actor, ad)) throw forbidden('errors.notYourAd');
  return { ad, owner };
};

/** The question whether the ad is still available is settled. */
export const settleExpiry = (trx: Trx, ownerId: string, adId: string): Promise<void> =>
  markSubjectRead(trx, ownerId, { kinds: ['ad_expiring', 'ad_expired'], path: toExpiryPathPrefix(adId) });

const refuseRenewal = ({ state, is_sold, expires_at }: AdRow) => {
  if (state !== 'active' && state !== 'paused' && state !== 'expired') return conflict('errors.hiddenNotRenewed');
  if (is_sold) return conflict('errors.adIsSold');
  if (expires_at === null) return conflict('errors.adNeverExpires');
  return conflict('errors.renewFrom', { max: LIMITS.renewDays });
};

/**
 * Lets one of the actor's own ads last its full time from now, from three days before its end on. An expired one comes
 * back on the market, at its old place, unless an administrator took it down. A paused one stays paused.
 */
export const renewAd = (ctx: AppContext, actor: UserActor, id: string): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    const { state, is_sold: isSold, expires_at: expiresAt } = ad;
    if (!canRenew({ state: state as AdState, isSold, expiresAt }, ctx.clock.now().valueOf())) throw refuseRenewal(ad);
    const { maxAdDurationDays } = await readSettings(trx);
    await updateOwnAd(trx, id, owner.id, { state: 'active', expires_at: inDays(trx, maxAdDurationDays || null) });
    await settleExpiry(trx, owner.id, id);
    return (await findAd(trx, id))!;
  });

const refusePause = ({ state, is_sold }: AdRow, paused: boolean) => {
  if (state === 'expired') return conflict('errors.adExpired');
  if (!paused) return undefined;
  if (state !== 'active') return conflict('errors.hiddenNotPaused');
  return is_sold ? conflict('errors.adIsSold') : undefined;
};

/**
 * Hides one of the actor's own ads, or ends that. Moderation judged every edit when it was made, so nothing is judged
 * again: an ad that waits for review meanwhile, or that staff hid, stays hidden. A repetition changes nothing.
 */
export const setAdPaused = (ctx: AppContext, actor: UserActor, id: string, paused: boolean): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (ad.is_paused !== paused || ad.state === 'expired') {
      const refusal = refusePause(ad, paused);
      if (refusal) throw refusal;
      await updateOwnAd(trx, id, owner.id, { is_paused: paused });
      await forgetPausedByFile(trx, id);
      if (!paused) await announceReviewed(trx, id);
    }
    return (await findAd(trx, id))!;
  });
