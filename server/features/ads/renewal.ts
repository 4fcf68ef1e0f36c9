import type { AdState } from '../../../contract/ads.ts';
import { canRenew } from '../../../contract/expiry.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { AdRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { readSettings } from '../settings/repository.ts';
import { lockOwnAd, settleExpiry } from './own-ads.ts';
import { type AdDetails, findAd, inDays, updateOwnAd } from './repository.ts';

const refuseRenewal = ({ state, is_sold, expires_at }: AdRow) => {
  if (state !== 'active' && state !== 'expired') return conflict('This ad is not public, so it cannot be renewed.');
  if (is_sold) return conflict('This ad is marked as sold.');
  if (expires_at === null) return conflict('This ad does not expire.');
  return conflict(`An ad can be renewed from ${LIMITS.renewDays} days before it expires.`);
};

/**
 * Lets one of the actor's own ads last its full time from now, from three days before its end on. An expired one comes
 * back on the market, at its old place, unless an administrator took it down.
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
