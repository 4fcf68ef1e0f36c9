import type { AppContext } from './app-context.ts';
import { deleteInBatches } from './db/bulk.ts';
import { endExpiredSuspensions, finishAdsUpdate, finishNotificationsRemoval } from './features/account/removal.ts';
import { askAboutExpiry, expireAds } from './features/ads/expiry/jobs.ts';
import { deleteOldExpiryQuestions } from './features/ads/expiry/repository.ts';
import { notifyPriceDrop } from './features/ads/price-drops.ts';
import { deleteOldPrices } from './features/ads/prices-repository.ts';
import { deleteOldViewDays, deleteOldViewers } from './features/ads/repository.ts';
import { countWords } from './features/ads/search/words-repository.ts';
import { deleteExpiredSessions } from './features/auth/session-repository.ts';
import { mailContact } from './features/contact/service.ts';
import { announceNewAds } from './features/follows/announcements.ts';
import { deleteOldIdempotencyKeys } from './features/idempotency/repository.ts';
import { collectImages, storeCard } from './features/images/files.ts';
import { remindOfMessages } from './features/messages/reminders.ts';
import { deleteLostReminders } from './features/messages/reminders-repository.ts';
import { deleteForgottenAddresses } from './features/notifications/address-repository.ts';
import { mailConfirmation } from './features/notifications/addresses.ts';
import { sweepDeliveries } from './features/notifications/delivery.ts';
import { dispatchNotifications } from './features/notifications/dispatch.ts';
import { deliverMail } from './features/notifications/mail-delivery.ts';
import { deliverNotice } from './features/notifications/notices.ts';
import { deliverPush } from './features/notifications/push-delivery.ts';
import { deleteOldNotifications } from './features/notifications/repository.ts';
import { expireOffers } from './features/offers/expiry.ts';
import { loadMissingPlaces } from './features/places/service.ts';
import { revealDueRatings } from './features/ratings/jobs.ts';
import { deleteOldCopies } from './features/reports/case-repository.ts';
import { endReservations, notifyOfSale } from './features/sales/jobs.ts';
import { matchNewAds } from './features/saved-searches/jobs.ts';
import { deleteOldMatches } from './features/saved-searches/matches-repository.ts';
import { countDailyFigures } from './features/stats/figures.ts';
import { deleteOldVisits, foldCounters } from './features/stats/repository.ts';
import { dispatchPost, sweepPosts } from './features/x-posts/outbox.ts';
import { revokeTokens } from './features/x-posts/tokens.ts';
import type { JobHandlers } from './jobs/queue.ts';

export async function cleanUp({ db }: AppContext): Promise<void> {
  await deleteExpiredSessions(db);
  await deleteOldIdempotencyKeys(db);
  // rate-limiter-flexible keeps expired limits
  await deleteInBatches(db, 'rate_limits', 'expire < extract(epoch from now()) * 1000');
  await deleteOldViewers(db);
  await deleteOldViewDays(db);
  await deleteOldVisits(db);
  await deleteOldCopies(db);
  await deleteOldPrices(db);
  await deleteOldNotifications(db);
  await deleteLostReminders(db);
  await deleteOldMatches(db);
  await deleteForgottenAddresses(db);
  await deleteOldExpiryQuestions(db);
}

export const jobHandlers: JobHandlers = {
  'post-to-x': dispatchPost,
  'mail-contact': mailContact,
  'mail-confirmation': mailConfirmation,
  'store-card': (ctx, { sha256 }) => storeCard(ctx, sha256),
  'update-seller-ads': (ctx, { userId }) => finishAdsUpdate(ctx, userId),
  'delete-notifications-about': (ctx, { userId }) => finishNotificationsRemoval(ctx, userId),
  'deliver-notice': (ctx, { noticeId }) => deliverNotice(ctx, noticeId),
  'notify-price-drop': (ctx, { adId }) => notifyPriceDrop(ctx, adId),
  'notify-of-sale': (ctx, { adId }) => notifyOfSale(ctx, adId),
  'announce-new-ads': (ctx, { sellerId }) => announceNewAds(ctx, sellerId),
  'remind-of-messages': remindOfMessages,
  'dispatch-notifications': (ctx, { ids }) => dispatchNotifications(ctx, ids),
  'deliver-mail': (ctx, { notificationId }, { signal }) => deliverMail(ctx, notificationId, { lane: 'all', signal }),
  'deliver-bulk-mail': (ctx, { notificationId }, { signal }) =>
    deliverMail(ctx, notificationId, { lane: 'bulk', signal }),
  'deliver-push': (ctx, { notificationId }) => deliverPush(ctx, notificationId),
  'sweep-deliveries': sweepDeliveries,
  'match-new-ads': (ctx, _, { signal }) => matchNewAds(ctx, signal),
  'end-suspensions': endExpiredSuspensions,
  'reveal-ratings': revealDueRatings,
  'sweep-x-posts': sweepPosts,
  'revoke-x-tokens': revokeTokens,
  'fold-counters': ({ db }) => foldCounters(db),
  'expire-ads': expireAds,
  'ask-about-expiry': askAboutExpiry,
  'expire-offers': expireOffers,
  'end-reservations': endReservations,
  'clean-up': cleanUp,
  'count-search-words': ({ db }) => countWords(db),
  'collect-images': collectImages,
  'count-daily-figures': (ctx, _, { signal }) => countDailyFigures(ctx, signal),
  'load-places': (ctx, _, { signal }) => loadMissingPlaces(ctx, signal),
};
