import { finishAdsUpdate } from './features/account/removal.ts';
import { countSearchWords, expireAds } from './features/ads/jobs.ts';
import { mailContact } from './features/contact/service.ts';
import { runHousekeeping } from './features/housekeeping/jobs.ts';
import { collectImages, storeCard } from './features/images/files.ts';
import { foldCounters } from './features/stats/repository.ts';
import { dispatchPost, sweepPosts } from './features/x-posts/outbox.ts';
import { revokeTokens } from './features/x-posts/tokens.ts';
import type { JobHandlers } from './jobs/queue.ts';

export const jobHandlers: JobHandlers = {
  'post-to-x': dispatchPost,
  'mail-contact': mailContact,
  'store-card': (ctx, { sha256 }) => storeCard(ctx, sha256),
  'update-seller-ads': (ctx, { userId }) => finishAdsUpdate(ctx, userId),
  'sweep-x-posts': sweepPosts,
  'revoke-x-tokens': revokeTokens,
  'fold-counters': ({ db }) => foldCounters(db),
  'expire-ads': expireAds,
  'clean-up': runHousekeeping,
  'count-search-words': countSearchWords,
  'collect-images': collectImages,
};
