import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import { lockAccount, type XAccountRow } from './account-store.ts';
import { canPost, isLinked } from './link.ts';
import { lockPost, readSendFacts, type SendFacts, updatePost, type XPostRow } from './post-store.ts';
import { enqueuePost } from './queue.ts';
import { holdStop, lockStop } from './stop-store.ts';

/**
 * The post, locked, if it may be sent now; otherwise what stands in the way is recorded: consent taken back, a ban, an ad
 * that is gone, a broken link.
 */
export async function claimPost(trx: Trx, app: App, id: string): Promise<XPostRow | undefined> {
  const post = await lockPost(trx, id);
  if (post?.status !== 'pending') return undefined;
  const account = await lockAccount(trx, post.user_id);
  const facts = await readSendFacts(trx, post);
  const skipped = whyNot(post, facts, account, app);
  if (skipped) return decline(trx, post, 'skipped', skipped);
  // in review: the sweep takes it up once the ad is public
  if (facts.ad_state === 'pending') return undefined;
  const broken = account && whyBroken(account, app);
  if (broken) return decline(trx, post, 'failed', broken);
  return post;
}

const decline = async (trx: Trx, post: XPostRow, status: 'skipped' | 'failed', error: string): Promise<undefined> => {
  await updatePost(trx, post.id, { status, error });
  return undefined;
};

function whyNot(
  post: XPostRow,
  facts: SendFacts,
  account: XAccountRow | undefined,
  { config }: App,
): string | undefined {
  if (config.xPosting !== 'api') return 'posting is off';
  if (facts.user_banned || facts.user_deleted) return 'account suspended';
  if (!account || !isLinked(account, config.xMode)) return 'disconnected';
  const agreedAt = post.kind === 'ad' ? account.autopost_ads_at : account.autopost_favorites_at;
  if (!agreedAt) return 'consent withdrawn';
  if (post.kind === 'favorite' && !facts.is_favorite) return 'not a favorite any more';
  const isPublic = ['active', 'pending'].includes(facts.ad_state) && !facts.seller_banned && !facts.is_sold;
  return isPublic ? undefined : 'ad not available';
}

const whyBroken = (account: XAccountRow, { config }: App): string | undefined => {
  if (canPost(account, config.xMode)) return undefined;
  return account.status === 'suspended' ? 'suspended' : 'reauth';
};

/** While posting is stopped everything waits; then one post tries for all. Says whether this one waits. */
export async function mustWait(trx: Trx, app: App, post: XPostRow): Promise<boolean> {
  const stop = await lockStop(trx);
  if (!stop) return false;
  if (new Date(stop.until) <= app.clock.now()) {
    await holdStop(trx, stop, app.clock.now());
    return false;
  }
  await updatePost(trx, post.id, { next_attempt_at: stop.until, error: stop.reason });
  await enqueuePost(trx, post.id, new Date(stop.until));
  return true;
}
