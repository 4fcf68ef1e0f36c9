import type { AppContext } from '../app-context.ts';
import { finishAdsUpdate } from '../features/account/removal.ts';
import { countSearchWords, expireAds } from '../features/ads/jobs.ts';
import { mailContact } from '../features/contact/jobs.ts';
import { foldCounterDeltas, runHousekeeping } from '../features/housekeeping/jobs.ts';
import { deleteUnusedImages, storeCard, sweepImageStorage } from '../features/images/service.ts';
import { dispatchPost, revokeTokens, sweepPosts } from '../features/x-posts/jobs.ts';
import type { JobName, JobPayloads } from './queue.ts';

export interface JobRun {
  /** 1 on the first try. */
  attempt: number;
  maxAttempts: number;
  /** Aborted when the process wants to stop. */
  signal: AbortSignal;
}

/** Runs at least once, perhaps twice at the same time; throwing asks for another try, later and later. */
export type JobHandler<N extends JobName> = (ctx: AppContext, payload: JobPayloads[N], run: JobRun) => Promise<void>;

/** What each job does. A payload in queue.ts without a line here does not compile. */
export const jobs: { readonly [N in JobName]: JobHandler<N> } = {
  'post-to-x': dispatchPost,
  'mail-contact': mailContact,
  'store-card': (ctx, { sha256 }) => storeCard(ctx, sha256),
  'update-seller-ads': (ctx, { userId }) => finishAdsUpdate(ctx, userId),
  'sweep-x-posts': sweepPosts,
  'revoke-x-tokens': revokeTokens,
  'fold-counters': foldCounterDeltas,
  'expire-ads': expireAds,
  'clean-up': runHousekeeping,
  'count-search-words': countSearchWords,
  'collect-images': async (ctx) => {
    await deleteUnusedImages(ctx);
    await sweepImageStorage(ctx);
  },
};
