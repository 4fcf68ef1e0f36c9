import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { UserActor } from '../../policy.ts';
import { lockOwnAd, settleExpiry } from '../ads/own-ads.ts';
import { type AdDetails, findAd, inDays, stateByTime, updateOwnAd } from '../ads/repository.ts';

/** Marks one of the actor's own ads as sold or available. A repetition changes nothing, not even the date. */
export const setAdSold = (ctx: AppContext, actor: UserActor, id: string, isSold: boolean): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (ad.is_sold !== isSold)
      await updateOwnAd(trx, id, owner.id, {
        is_sold: isSold,
        sold_at: isSold ? trx.fn.now() : null,
        sold_listed_until: isSold ? inDays(trx, ctx.config.soldListedDays) : null,
        state: isSold ? ad.state : stateByTime(trx),
      });
    if (isSold) await settleExpiry(trx, owner.id, id);
    return (await findAd(trx, id))!;
  });
