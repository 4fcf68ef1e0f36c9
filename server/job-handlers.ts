import { LIMITS } from '../contract/limits.ts';
import type { AppContext } from './app-context.ts';
import { deleteInBatches } from './db/bulk.ts';
import { recordTableSizes } from './db/table-health.ts';
import { mailAccessNews } from './features/access/news-mail.ts';
import { mailRecovery } from './features/access/recovery-mail.ts';
import { endExpiredSuspensions, finishAdsUpdate, finishNotificationsRemoval } from './features/account/removal.ts';
import { askAboutExpiry, expireAds } from './features/ads/expiry/jobs.ts';
import { priceDrop } from './features/ads/price-drops.ts';
import { deleteOldPrices } from './features/ads/prices-repository.ts';
import { handlePublications, type PublicationListener } from './features/ads/publications.ts';
import { indexPendingAds } from './features/ads/search/index-ads.ts';
import { countWords, deleteUnusedWords } from './features/ads/search/words-repository.ts';
import { mailContact } from './features/contact/service.ts';
import { announceAds, announcement } from './features/follows/announcements.ts';
import { copyAvatar, refreshAvatars } from './features/images/avatars.ts';
import { collectImages, storeCard } from './features/images/files.ts';
import { fetchPhotos } from './features/imports/photos.ts';
import { runImport } from './features/imports/run.ts';
import { timeAnswers } from './features/messages/answer-times.ts';
import { remindOfMessages } from './features/messages/reminders.ts';
import { deleteForgottenAddresses } from './features/notifications/address-repository.ts';
import { mailConfirmation } from './features/notifications/addresses.ts';
import { deliverMail, deliverPush } from './features/notifications/channels.ts';
import { sweepDeliveries } from './features/notifications/delivery.ts';
import { dispatchNotifications } from './features/notifications/dispatch.ts';
import { type FanOut, runFanOut } from './features/notifications/fan-outs.ts';
import type { FanOutKind } from './features/notifications/fan-outs-repository.ts';
import { notice } from './features/notifications/notices.ts';
import { expireOffers } from './features/offers/expiry.ts';
import { countAdsOfPlaces } from './features/places/repository.ts';
import { loadMissingPlaces } from './features/places/service.ts';
import { revealDueRatings } from './features/ratings/jobs.ts';
import {
  deleteOldCopies,
  deleteTextsOfDeletedWriters,
  forgetReporterAddresses,
} from './features/reports/case-repository.ts';
import { endReservations, notifyOfSale } from './features/sales/jobs.ts';
import { matchSearches, notifyDueSearches } from './features/saved-searches/jobs.ts';
import { deleteExpiredSessions } from './features/sessions/session-repository.ts';
import { countDailyFigures } from './features/stats/figures.ts';
import { foldCounters } from './features/stats/repository.ts';
import { sendWebhooks } from './features/webhooks/dispatcher.ts';
import { hookPublications } from './features/webhooks/publications.ts';
import { dispatchPost, sweepPosts } from './features/x-posts/outbox.ts';
import { revokeTokens } from './features/x-posts/tokens.ts';
import type { JobHandlers } from './jobs/queue.ts';

/** The rows of each table that nothing needs any more. */
const OUTDATED = {
  idempotency_keys: "created_at < now() - interval '24 hours'",
  // rate-limiter-flexible keeps expired limits
  rate_limits: 'expire < extract(epoch from now()) * 1000',
  photos: `created_at < now() - interval '${LIMITS.photoHours} hours'`,
  message_photos: `message_id is null and created_at < now() - interval '${LIMITS.photoHours} hours'`,
  ad_view_seen: 'day < now()::date - 1',
  ad_view_days: 'day < now()::date - 366',
  access_tokens: `expires_at < now() - interval '${LIMITS.expiredTokenDays} days'`,
  passkey_challenges: 'expires_at < now()',
  recovery_links: "expires_at < now() - interval '1 day'",
  visits: `started_at < now() - interval '${LIMITS.visitDays} days'`,
  notifications: `created_at < now() - interval '${LIMITS.notificationDays} days'`,
  // the job has used up its attempts: the next message begins another reminder
  message_reminders: "notified_at is null and created_at < now() - interval '5 days'",
  webhook_deliveries: `created_at < now() - interval '${LIMITS.webhookDays} days'`,
  // the owner never opens the search
  search_matches: `created_at < now() - interval '${LIMITS.notificationDays} days'`,
  set_aside: "retry_at < now() - interval '30 days'",
  table_sizes: 'day < now()::date - 7',
  imports: `state <> 'running' and created_at < now() - interval '${LIMITS.importDays} days'`,
  expiry_questions: "expires_at < now() - interval '30 days'",
};

export async function cleanUp({ db, config }: AppContext): Promise<void> {
  const kept = {
    audit_log: `at < now() - interval '${config.auditDays} days'`,
    contact_messages: `created_at < now() - interval '${config.contactDays} days'`,
  };
  for (const [table, condition] of Object.entries({ ...OUTDATED, ...kept }))
    await deleteInBatches(db, table, condition);
  await deleteExpiredSessions(db);
  await deleteOldCopies(db);
  await deleteTextsOfDeletedWriters(db);
  await forgetReporterAddresses(db);
  await deleteOldPrices(db);
  await deleteForgottenAddresses(db);
}

const FAN_OUTS: Record<FanOutKind, FanOut> = { announcement, price_drop: priceDrop, notice };

/** In this order: webhooks tell what the searches matched. */
const PUBLICATION_LISTENERS: readonly PublicationListener[] = [announceAds, matchSearches, hookPublications];

export const jobHandlers: JobHandlers = {
  'post-to-x': dispatchPost,
  'mail-contact': mailContact,
  'mail-confirmation': mailConfirmation,
  'mail-access-news': mailAccessNews,
  'mail-recovery': mailRecovery,
  'store-card': (ctx, { sha256 }) => storeCard(ctx, sha256),
  'run-import': (ctx, { importId }, { signal }) => runImport(ctx, importId, { signal }),
  'fetch-photos': (ctx, { adId }) => fetchPhotos(ctx, adId),
  'copy-avatar': (ctx, { userId }) => copyAvatar(ctx, userId),
  'update-seller-ads': (ctx, { userId }) => finishAdsUpdate(ctx, userId),
  'delete-notifications-about': (ctx, { userId }) => finishNotificationsRemoval(ctx, userId),
  'fan-out': (ctx, { kind, subjectId }) => runFanOut(ctx, FAN_OUTS[kind], subjectId),
  'notify-of-sale': (ctx, { adId }) => notifyOfSale(ctx, adId),
  'remind-of-messages': remindOfMessages,
  'dispatch-notifications': (ctx, { ids }) => dispatchNotifications(ctx, ids),
  'deliver-mail': (ctx, { notificationId }, { signal }) => deliverMail(ctx, notificationId, { lane: 'all', signal }),
  'deliver-bulk-mail': (ctx, { notificationId }, { signal }) =>
    deliverMail(ctx, notificationId, { lane: 'bulk', signal }),
  'deliver-push': (ctx, { notificationId }) => deliverPush(ctx, notificationId),
  'send-webhooks': (ctx, _, { signal }) => sendWebhooks(ctx, signal),
  'sweep-deliveries': sweepDeliveries,
  'handle-publications': (ctx, _, { signal }) => handlePublications(ctx, PUBLICATION_LISTENERS, signal),
  'notify-searches': notifyDueSearches,
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
  'index-ads': (ctx, _, { signal }) => indexPendingAds(ctx, signal),
  'count-search-words': async ({ db }) => {
    await countWords(db);
    await deleteUnusedWords(db);
  },
  'time-answers': (ctx, _, { signal }) => timeAnswers(ctx, signal),
  'count-ads-of-places': ({ db }) => countAdsOfPlaces(db),
  'collect-images': collectImages,
  'refresh-avatars': refreshAvatars,
  'record-table-sizes': recordTableSizes,
  'count-daily-figures': (ctx, _, { signal }) => countDailyFigures(ctx, signal),
  'load-places': (ctx, _, { signal }) => loadMissingPlaces(ctx, signal),
  'match-new-ads': (ctx, _, { signal }) => handlePublications(ctx, PUBLICATION_LISTENERS, signal),
  'deliver-notice': (ctx, { noticeId }) => runFanOut(ctx, notice, noticeId),
  'announce-new-ads': (ctx, { sellerId }) => runFanOut(ctx, announcement, sellerId),
  'notify-price-drop': (ctx, { adId }) => runFanOut(ctx, priceDrop, adId),
};
