import { formatPrice, toPriceText } from '../../../contract/scalars.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { isPublicAd } from '../../policy.ts';
import { insertNotifications, type NewNotification } from '../notifications/repository.ts';
import { lockPresentUsers } from '../users/repository.ts';
import {
  beginDelivery,
  beginPriceDrop,
  type DueDrop,
  endPriceDrop,
  findRunningDelivery,
  finishDelivery,
  insertFormerPrice,
  listDueDrops,
  listNextSavers,
  lockDelivery,
  setDeliveryProgress,
} from './prices-repository.ts';
import { type AdDetails, findAd } from './repository.ts';

const enqueueDeliveries = (trx: Trx, drops: readonly DueDrop[]): Promise<void> =>
  enqueueAll(
    trx,
    'notify-price-drop',
    drops.map(({ adId, dueAt }) => ({ payload: { adId }, runAt: dueAt, key: `price-drop ${adId}` })),
  );

/**
 * Enqueues the running and waiting deliveries: all of them after a restore, because a backup contains no jobs; those of
 * one ad when its review ends.
 */
export const resumePriceDrops = async (trx: Trx, adId?: string): Promise<void> =>
  enqueueDeliveries(trx, await listDueDrops(trx, adId));

type Priced = Pick<AdRow, 'price' | 'price_type'>;

/** "Wanted": what the person would pay. */
const isOffer = ({ price_type }: Priced): boolean => price_type !== 'wanted';

/**
 * Remembers the former price of an ad whose row is locked, and begins or ends its price drop. A small decrease leaves a
 * drop as it is; a rise ends it. People who saved the ad are notified of a drop by a job, after the review if the ad waits
 * for one.
 */
export const recordPriceChange = async (trx: Trx, before: AdRow, after: Priced): Promise<void> => {
  const [from, to] = [Number(before.price), Number(after.price)];
  if (from !== to && isOffer(before)) await insertFormerPrice(trx, before.id, before.price);
  if (!isOffer(after) || to > from) return endPriceDrop(trx, before.id);
  const drop = to < from ? await beginPriceDrop(trx, before.id, after.price) : undefined;
  if (drop !== undefined) await enqueueDeliveries(trx, [drop]);
};

const toNotification = (ad: AdDetails, oldPrice: string): Omit<NewNotification, 'userId'> => ({
  kind: 'price_drop',
  title: `Price dropped: ${ad.title}`,
  body: `Now ${toPriceText({ price: ad.price, priceType: ad.price_type })}, was ${formatPrice(oldPrice)}`,
  url: `/ads/${ad.id}`,
  sourceUserId: ad.user_id,
});

const BATCH = 500;

/**
 * Notifies the next people who saved the ad. Returns false when the delivery has ended. Locks users before the delivery,
 * as deletions do; if a concurrent run came first, the next call continues after it.
 */
const deliverBatch = async (trx: Trx, adId: string): Promise<boolean> => {
  const running = await findRunningDelivery(trx, adId);
  const owner = running && (await findAd(trx, adId))?.user_id;
  if (running === undefined || owner === undefined) return false;
  const savers = await listNextSavers(trx, adId, running, BATCH);
  const present = new Set(await lockPresentUsers(trx, [...savers, owner]));
  if (!(await lockDelivery(trx, adId, running.delivered_to))) return true;
  const ad = await findAd(trx, adId);
  const isShown = ad !== undefined && isPublicAd(ad) && ad.listed && ad.old_price !== null;
  if (isShown) {
    const notification = toNotification(ad, ad.old_price!);
    const receivers = savers.filter((id) => present.has(id) && id !== owner);
    await insertNotifications(
      trx,
      receivers.map((userId) => ({ ...notification, userId })),
    );
    if (savers.length === BATCH) {
      await setDeliveryProgress(trx, adId, savers.at(-1)!);
      return true;
    }
  }
  await finishDelivery(trx, adId, running.delivered_to !== '0' || (isShown && savers.length > 0));
  return false;
};

/**
 * Notifies the people who saved the ad about its price drop, in short transactions; an interrupted delivery continues
 * where it stopped. If the last one was less than a day ago, the job runs again after that day.
 */
export const notifyPriceDrop = async ({ db }: Pick<AppContext, 'db'>, adId: string): Promise<void> => {
  const begin = (): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      const state = await beginDelivery(trx, adId);
      if (state instanceof Date) await enqueueDeliveries(trx, [{ adId, dueAt: state }]);
      return state === 'running';
    });
  while (await begin()) while (await inTransaction(db, (trx) => deliverBatch(trx, adId)));
};
