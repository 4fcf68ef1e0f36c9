import type { Trx } from '../../db/pools.ts';
import type { PublicationListener } from '../ads/publications.ts';
import { enqueueFanOuts, type FanOut } from '../notifications/fan-outs.ts';
import { toAmount } from '../notifications/news-values.ts';
import type { SharedNotification } from '../notifications/repository.ts';
import { lockPresentUsers } from '../users/repository.ts';
import {
  type AnnouncedAds,
  beginAnnouncement,
  finishAnnouncement,
  insertAdsToAnnounce,
  listDueAnnouncements,
  listNextFollowers,
  readAnnouncedAds,
} from './announcements-repository.ts';

/**
 * Notifies the followers of new ads' sellers, by jobs: at most one notification a seller and hour. Ads that come within the
 * hour are announced together at its end.
 */
export const announceAds: PublicationListener = {
  onPublished: async (trx, ads) => {
    if (ads.length > 0) await enqueueFanOuts(trx, 'announcement', await insertAdsToAnnounce(trx, ads));
  },
};

/** Enqueues the waiting announcements after a restore: a backup contains no jobs. */
export const resumeAnnouncements = async (trx: Trx): Promise<void> =>
  enqueueFanOuts(trx, 'announcement', await listDueAnnouncements(trx));

const toNotification = ({ seller, ads, count }: AnnouncedAds): SharedNotification => {
  const [first] = ads;
  const kind = 'seller_new_ad';
  if (count === 1)
    return {
      kind,
      params: {
        is: 'one',
        name: seller.display_name,
        ad: first!.title,
        price: { ...toAmount(first!.price), priceType: first!.priceType },
      },
      url: `/ads/${first!.id}`,
    };
  return {
    kind,
    params: { is: 'several', name: seller.display_name, count, titles: ads.map(({ title }) => title) },
    url: `/users/${seller.username}`,
  };
};

/** Of the seller's waiting ads to the followers. */
export const announcement: FanOut = {
  kind: 'announcement',
  begin: async (trx, sellerId) => {
    await lockPresentUsers(trx, [sellerId]);
    return beginAnnouncement(trx, sellerId);
  },
  findSource: async (_, sellerId) => sellerId,
  list: listNextFollowers,
  build: async (trx, sellerId) => {
    const announced = await readAnnouncedAds(trx, sellerId);
    return announced && toNotification(announced);
  },
  finish: finishAnnouncement,
};
