import type { App } from '../../app.ts';
import type { Trx } from '../../db/connect.ts';
import type { AdRow } from '../../db/tables.ts';
import { enqueue } from '../../jobs/queue.ts';
import { findAccount, rememberChoice, setConsent } from './account-store.ts';
import { canPost } from './link.ts';
import { countRecentPosts, insertPost, type NewPost } from './post-store.ts';
import { adUrl, buildIntentUrl, buildPostText, type PostKind } from './text.ts';

const PER_USER_AND_DAY = 10;
const PER_AD_AND_DAY = 5;

type Posting = Pick<App, 'config' | 'x'>;
type PostedAd = Pick<AdRow, 'id' | 'user_id' | 'title' | 'price' | 'state'>;

/** What the answer to a new ad says about X: queued by us, or a composer to open, or neither. */
export interface PostOffer {
  postedToX: boolean;
  intentUrl: string | null;
}

/** Offers a new ad to X as the site's mode and the seller want it, in the ad's own transaction. Never fails the ad. */
export async function offerAdPost(trx: Trx, app: Posting, ad: PostedAd, isWanted: boolean): Promise<PostOffer> {
  const { xPosting, publicUrl } = app.config;
  if (xPosting === 'intent' && ad.state === 'active') {
    const text = buildPostText('ad', ad, adUrl(publicUrl, ad.id));
    return { postedToX: false, intentUrl: buildIntentUrl(app.x.urls.web, text) };
  }
  if (xPosting !== 'api') return { postedToX: false, intentUrl: null };
  await rememberChoice(trx, ad.user_id, isWanted);
  return { postedToX: isWanted && (await queuePost(trx, app, 'ad', ad.user_id, ad)), intentUrl: null };
}

/** Queues a post about a saved ad if this person agreed to such posts, in the favorite's own transaction. */
export const queueFavoritePost = async (trx: Trx, app: Posting, userId: string, ad: PostedAd): Promise<boolean> =>
  app.config.xPosting === 'api' && ad.state === 'active' && queuePost(trx, app, 'favorite', userId, ad);

async function queuePost(
  trx: Trx,
  { config }: Posting,
  kind: PostKind,
  userId: string,
  ad: PostedAd,
): Promise<boolean> {
  // not locked: while X renews its tokens the row is held for seconds. Whoever sends looks at consent and link again.
  const account = await findAccount(trx, userId);
  if (!account || !canPost(account, config.xMode)) return false;
  if (kind === 'favorite' && !account.autopost_favorites_at) return false;
  const recent = await countRecentPosts(trx, userId, ad.id);
  if (recent.user >= PER_USER_AND_DAY || (kind === 'favorite' && recent.ad >= PER_AD_AND_DAY)) return false;
  const body = buildPostText(kind, ad, adUrl(config.publicUrl, ad.id));
  const isNew = await insertAndEnqueue(trx, { user_id: userId, kind, ad_id: ad.id, body });
  // ticking the box is the consent to posts of ads
  if (isNew && kind === 'ad' && !account.autopost_ads_at) await setConsent(trx, userId, 'autopost_ads_at', true);
  return isNew;
}

const insertAndEnqueue = async (trx: Trx, post: NewPost): Promise<boolean> => {
  const postId = await insertPost(trx, post);
  if (postId) await enqueuePost(trx, postId);
  return postId !== undefined;
};

/** One waiting job per post, however often this is called. */
export const enqueuePost = (trx: Trx, postId: string, runAt?: Date): Promise<void> =>
  enqueue(trx, 'post-to-x', { postId }, { key: `x-post-${postId}`, ...(runAt && { runAt }) });
