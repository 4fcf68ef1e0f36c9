import { PRICE_RULES } from '../../../contract/prices.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import { isPublicAd } from '../../policy.ts';
import { enqueueFanOuts, type FanOut } from '../notifications/fan-outs.ts';
import { toAmount } from '../notifications/news-values.ts';
import type { SharedNotification } from '../notifications/repository.ts';
import {
  beginPriceDrop,
  endPriceDrop,
  insertFormerPrice,
  listDueDrops,
  listNextSavers,
  recordNotified,
  takeNewDrop,
} from './prices-repository.ts';
import { type AdDetails, findAd } from './repository.ts';

/**
 * Enqueues the waiting fan-outs: all of them after a restore, because a backup contains no jobs; that of one ad when its
 * review ends.
 */
export const resumePriceDrops = async (trx: Trx, adId?: string): Promise<void> =>
  enqueueFanOuts(trx, 'price_drop', await listDueDrops(trx, adId));

type Priced = Pick<AdRow, 'price' | 'price_type'>;

const isForSale = ({ price_type }: Priced): boolean => PRICE_RULES[price_type].isForSale;

/**
 * Remembers the former price of an ad whose row is locked, and begins or ends its price drop. A small decrease leaves a
 * drop as it is; a rise ends it. People who saved the ad are notified of a drop by a job, after the review if the ad waits
 * for one.
 */
export const recordPriceChange = async (trx: Trx, before: AdRow, after: Priced): Promise<void> => {
  const [from, to] = [Number(before.price), Number(after.price)];
  if (from !== to && isForSale(before)) await insertFormerPrice(trx, before.id, before.price);
  if (!isForSale(after) || to > from) return endPriceDrop(trx, before.id);
  const drop = to < from ? await beginPriceDrop(trx, before.id, after.price) : undefined;
  if (drop !== undefined) await enqueueFanOuts(trx, 'price_drop', [drop]);
};

const toNotification = (ad: AdDetails, oldPrice: string): SharedNotification => ({
  kind: 'price_drop',
  params: {
    is: 'dropped',
    ad: ad.title,
    now: { ...toAmount(ad.price), priceType: ad.price_type },
    before: toAmount(oldPrice),
  },
  url: `/ads/${ad.id}`,
});

/** Of the ad's new drop to the people who saved it, at most once a day. */
export const priceDrop: FanOut = {
  kind: 'price_drop',
  begin: takeNewDrop,
  findSource: async (trx, adId) => (await findAd(trx, adId))?.user_id,
  list: listNextSavers,
  build: async (trx, adId) => {
    const ad = await findAd(trx, adId);
    const isShown = ad !== undefined && isPublicAd(ad) && ad.listed && ad.old_price !== null;
    return isShown ? toNotification(ad, ad.old_price!) : undefined;
  },
  finish: async (trx, adId, hasNotified) => {
    if (hasNotified) await recordNotified(trx, adId);
  },
};
