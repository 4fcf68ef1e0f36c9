import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { readSettings } from '../settings/store.ts';
import { buryAds } from './bury-store.ts';
import { lockOwnAd } from './own-ad.ts';
import type { AdDetails } from './select-store.ts';
import { findAd, inDays, stateByTime, updateOwnAd } from './store.ts';

/** Deletes one of the actor's own ads, down to a tombstone that its conversations stand by. */
export const deleteAd = (app: App, actor: UserActor, id: string): Promise<void> =>
  inTransaction(app.db, async (trx) => {
    await lockOwnAd(trx, actor, id);
    await buryAds(trx, { id });
  });

/** Marks one of the actor's own ads as sold or available. Saying it twice changes nothing, not even the date. */
export const setAdSold = (app: App, actor: UserActor, id: string, isSold: boolean): Promise<AdDetails> =>
  inTransaction(app.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (ad.is_sold !== isSold)
      await updateOwnAd(trx, id, owner.id, {
        is_sold: isSold,
        sold_at: isSold ? trx.fn.now() : null,
        sold_listed_until: isSold ? inDays(trx, app.config.soldListedDays) : null,
        state: isSold ? ad.state : stateByTime(trx),
      });
    return (await findAd(trx, id))!;
  });

/** Puts one of the actor's own expired ads back. What an administrator took down stays down. */
export const renewAd = (app: App, actor: UserActor, id: string): Promise<AdDetails> =>
  inTransaction(app.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (ad.state !== 'expired') throw conflict('Only an expired ad can be renewed');
    const { maxAdDurationDays } = await readSettings(trx);
    await updateOwnAd(trx, id, owner.id, { state: 'active', expires_at: inDays(trx, maxAdDurationDays || null) });
    return (await findAd(trx, id))!;
  });
