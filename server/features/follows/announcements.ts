import { toPriceText } from '../../../contract/scalars.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { insertNotifications, type NewNotification } from '../notifications/repository.ts';
import { lockPresentUsers } from '../users/repository.ts';
import {
  type AnnouncedAds,
  beginAnnouncement,
  type DueAnnouncement,
  findRunningAnnouncement,
  finishAnnouncement,
  insertAdsToAnnounce,
  listDueAnnouncements,
  listNextFollowers,
  lockAnnouncement,
  type NewAd,
  readAnnouncedAds,
  setAnnouncementProgress,
} from './announcements-repository.ts';

const enqueueAnnouncements = (trx: Trx, announcements: readonly DueAnnouncement[]): Promise<void> =>
  enqueueAll(
    trx,
    'announce-new-ads',
    announcements.map(({ sellerId, dueAt }) => ({ payload: { sellerId }, runAt: dueAt, key: `announce ${sellerId}` })),
  );

/**
 * Notifies the followers of these new public ads' sellers, by jobs: at most one notification a seller and hour. Ads
 * that come within the hour are announced together at its end. Pass each ad once.
 */
export const notifyFollowers = async (trx: Trx, ads: readonly NewAd[]): Promise<void> => {
  if (ads.length > 0) await enqueueAnnouncements(trx, await insertAdsToAnnounce(trx, ads));
};

/** Enqueues the running and waiting announcements after a restore: a backup contains no jobs. */
export const resumeAnnouncements = async (trx: Trx): Promise<void> =>
  enqueueAnnouncements(trx, await listDueAnnouncements(trx));

const toNotification = ({ seller, ads, count }: AnnouncedAds): Omit<NewNotification, 'userId'> => {
  const [first] = ads;
  const kind = 'seller_new_ad';
  if (count === 1)
    return {
      kind,
      title: `${seller.display_name} posted a new ad`,
      body: `${first!.title} · ${toPriceText(first!)}`,
      url: `/ads/${first!.id}`,
    };
  const rest = count - ads.length;
  return {
    kind,
    title: `${seller.display_name} posted ${count} new ads`,
    body: `${ads.map(({ title }) => title).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    url: `/users/${seller.username}`,
  };
};

const BATCH = 500;

/**
 * Notifies the next followers about the running announcement. Returns false when it has ended. Locks users before the
 * announcement, as deletions do; if a concurrent run came first, the next call continues after it.
 */
const announceBatch = async (trx: Trx, sellerId: string): Promise<boolean> => {
  const running = await findRunningAnnouncement(trx, sellerId);
  if (running === undefined) return false;
  const followers = await listNextFollowers(trx, sellerId, running, BATCH);
  const present = new Set(await lockPresentUsers(trx, [...followers, sellerId]));
  if (!(await lockAnnouncement(trx, sellerId, running.delivered_to))) return true;
  const announced = await readAnnouncedAds(trx, sellerId);
  if (announced !== undefined) {
    const notification = { ...toNotification(announced), sourceUserId: sellerId };
    const receivers = followers.filter((id) => present.has(id));
    await insertNotifications(
      trx,
      receivers.map((userId) => ({ ...notification, userId })),
    );
    if (followers.length === BATCH) {
      await setAnnouncementProgress(trx, sellerId, followers.at(-1)!);
      return true;
    }
  }
  await finishAnnouncement(trx, sellerId);
  return false;
};

/**
 * Delivers a seller's announcement in short transactions; an interrupted one continues where it stopped. If the next one
 * has to wait, the job runs again at that time.
 */
export const announceNewAds = async ({ db }: Pick<AppContext, 'db'>, sellerId: string): Promise<void> => {
  const begin = (): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      await lockPresentUsers(trx, [sellerId]);
      const state = await beginAnnouncement(trx, sellerId);
      if (state instanceof Date) await enqueueAnnouncements(trx, [{ sellerId, dueAt: state }]);
      return state === 'running';
    });
  while (await begin()) while (await inTransaction(db, (trx) => announceBatch(trx, sellerId)));
};
