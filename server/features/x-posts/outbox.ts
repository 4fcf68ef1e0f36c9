import { cutText } from '../../../contract/text.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { XError } from '../../integrations/x/client.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { mayConsentToPosts, type UserActor } from '../../policy.ts';
import {
  closeCircuit,
  countRecentPosts,
  failLostAttempts,
  findAccount,
  insertPost,
  listUnqueuedPosts,
  lockAccount,
  lockCircuit,
  lockPost,
  openCircuit,
  probeCircuit,
  readDispatchContext,
  rememberChoice,
  setAccountStatus,
  setConsent,
  updatePost,
  type XPostRow,
} from './repository.ts';
import { buildIntentUrl, buildPost, type PostKind } from './text.ts';
import { type Access, canPost, getAccessToken, isLinked } from './tokens.ts';

/*
 * The outbox of posts to X: a row in x_posts for each post, a job for each row that waits.
 *
 *   queue     pending              in the transaction of the ad or favorite
 *   dispatch  pending → skipped    the user, the ad or the consent no longer allows it
 *             pending → failed     the link to X is broken
 *             pending → sending    committed before X is called: a post is sent at most once
 *   outcome   sending → posted, failed, unknown, or pending again for a later attempt
 *   sweep     sending → unknown    the sender died during its attempt
 *
 * While the circuit is open (X's credits are used up) every post waits; then one of them is the probe.
 */

const MAX_POSTS_PER_USER_AND_DAY = 10;
const MAX_FAVORITE_POSTS_PER_AD_AND_DAY = 5;
const MAX_ATTEMPTS = 7;
const FIRST_PAUSE_S = 30;
/** Longer than any attempt: two calls to X, a token refresh and the wait for its lock. */
const LOST_AFTER_S = 180;
/** X's price for one post with a link, in US dollars (pay per use, August 2026). */
const PRICE_USD = '0.20';

type OutboxContext = Pick<AppContext, 'config' | 'x'>;
type DescribedAd = Pick<AdRow, 'id' | 'title' | 'price' | 'price_type'>;
type PostedAd = DescribedAd & Pick<AdRow, 'user_id' | 'state'>;

export interface PostOffer {
  postedToX: boolean;
  intentUrl: string | null;
}

const toDescribed = ({ id, title, price, price_type: priceType }: DescribedAd) => ({ id, title, price, priceType });

/**
 * Queues or offers a post about a new ad, by the site's mode and the seller's choice, in the ad's transaction. A program
 * neither consents for the seller nor makes their choice: it posts what they agreed to before. Never fails the ad.
 */
export async function offerAdPost(
  trx: Trx,
  ctx: OutboxContext,
  ad: PostedAd,
  isWanted: boolean,
  actor: UserActor,
): Promise<PostOffer> {
  const { xPosting } = ctx.config;
  if (xPosting === 'intent' && ad.state === 'active') {
    const text = buildPost(ctx.config, 'ad', toDescribed(ad));
    return { postedToX: false, intentUrl: buildIntentUrl(ctx.x.urls.web, text) };
  }
  if (xPosting !== 'api') return { postedToX: false, intentUrl: null };
  const mayConsent = mayConsentToPosts(actor);
  if (mayConsent) await rememberChoice(trx, ad.user_id, isWanted);
  return { postedToX: isWanted && (await queuePost(trx, ctx, 'ad', ad.user_id, ad, mayConsent)), intentUrl: null };
}

/** Queues a post about a saved ad, in the favorite's transaction, if this user agreed to such posts. */
export const queueFavoritePost = async (trx: Trx, ctx: OutboxContext, userId: string, ad: PostedAd): Promise<boolean> =>
  ctx.config.xPosting === 'api' && ad.state === 'active' && queuePost(trx, ctx, 'favorite', userId, ad);

async function queuePost(
  trx: Trx,
  { config }: OutboxContext,
  kind: PostKind,
  userId: string,
  ad: PostedAd,
  mayConsent = false,
) {
  // not locked: a token refresh holds the row for seconds. The dispatch checks consent and link again.
  const account = await findAccount(trx, userId);
  if (!account || !canPost(account, config.x.mode)) return false;
  const consentedAt = kind === 'ad' ? account.autopost_ads_at : account.autopost_favorites_at;
  if (!consentedAt && !mayConsent) return false;
  const recent = await countRecentPosts(trx, userId, ad.id);
  if (recent.user >= MAX_POSTS_PER_USER_AND_DAY) return false;
  if (kind === 'favorite' && recent.ad >= MAX_FAVORITE_POSTS_PER_AD_AND_DAY) return false;
  const body = buildPost(config, kind, toDescribed(ad));
  const postId = await insertPost(trx, { user_id: userId, kind, ad_id: ad.id, body });
  if (postId === undefined) return false;
  await enqueuePosts(trx, [postId]);
  // ticking the box is the consent to posts of ads
  if (!consentedAt) await setConsent(trx, userId, 'autopost_ads_at', true);
  return true;
}

/** One waiting job per post, however often this is called. */
export const enqueuePosts = (trx: Trx, postIds: readonly string[], options: { runAt?: Date } = {}): Promise<void> =>
  enqueueAll(
    trx,
    'post-to-x',
    postIds.map((postId) => ({ payload: { postId }, key: `x-post-${postId}`, ...options })),
  );

/** Sends a post at most once: if the process dies during the attempt, the post is not retried automatically. */
export async function dispatchPost(ctx: AppContext, { postId }: { postId: string }): Promise<void> {
  const claimed = await inTransaction(ctx.db, async (trx) => {
    const post = await claimPost(trx, ctx, postId);
    return post && !(await waitsForCircuit(trx, ctx, post)) ? post : undefined;
  });
  if (!claimed) return;
  const access = await getAccessToken(ctx, claimed.user_id);
  if ('failure' in access) return recordOutcome(ctx, claimed, classifyNoAccess(ctx, access));
  const post = await beginAttempt(ctx, postId);
  if (post) await attempt(ctx, post, access.token);
}

/** Locks the post and returns it if it may be sent now; otherwise records the reason. */
async function claimPost(trx: Trx, ctx: AppContext, id: string): Promise<XPostRow | undefined> {
  const post = await lockPost(trx, id);
  if (post?.status !== 'pending') return undefined;
  const account = await lockAccount(trx, post.user_id);
  const context = await readDispatchContext(trx, post);
  const skipped = findSkipReason();
  if (skipped) return end('skipped', skipped);
  // in review: the sweep queues it again once the ad is public
  if (context.ad_state === 'pending') return undefined;
  if (account && !canPost(account, ctx.config.x.mode))
    return end('failed', account.status === 'suspended' ? 'suspended' : 'reauth');
  // what X may have already, and calls a duplicate, stays as it is
  if (post.is_ambiguous) return post;
  return { ...post, body: buildPost(ctx.config, post.kind, toDescribed({ ...context, id: post.ad_id })) };

  function findSkipReason(): string | undefined {
    if (ctx.config.xPosting !== 'api') return 'posting is off';
    if (context.is_user_shut_out || context.user_deleted) return 'account suspended';
    if (!account || !isLinked(account, ctx.config.x.mode)) return 'disconnected';
    if (!(post!.kind === 'ad' ? account.autopost_ads_at : account.autopost_favorites_at)) return 'consent withdrawn';
    if (post!.kind === 'favorite' && !context.is_favorite) return 'not a favorite any more';
    const isForSale = ['active', 'pending'].includes(context.ad_state) && !context.seller_banned && !context.is_sold;
    return isForSale ? undefined : 'ad not available';
  }
  async function end(status: 'skipped' | 'failed', error: string): Promise<undefined> {
    await updatePost(trx, id, { status, error });
  }
}

/** Whether the post must wait for an open circuit. When the wait is over, one post is sent as the probe. */
async function waitsForCircuit(trx: Trx, ctx: AppContext, post: XPostRow): Promise<boolean> {
  const circuit = await lockCircuit(trx);
  if (!circuit) return false;
  if (new Date(circuit.until) <= ctx.clock.now()) {
    await probeCircuit(trx, circuit, ctx.clock.now());
    return false;
  }
  await updatePost(trx, post.id, { next_attempt_at: circuit.until, error: circuit.reason });
  await enqueuePosts(trx, [post.id], { runAt: new Date(circuit.until) });
  return true;
}

/** Claims the post again, because getting a token may take a while, and commits that an attempt has started. */
const beginAttempt = (ctx: AppContext, postId: string): Promise<XPostRow | undefined> =>
  inTransaction(ctx.db, async (trx) => {
    const post = await claimPost(trx, ctx, postId);
    if (!post) return undefined;
    const change = { status: 'sending' as const, attempts: post.attempts + 1, error: null, body: post.body };
    await updatePost(trx, postId, change);
    return { ...post, ...change };
  });

async function attempt(ctx: AppContext, post: XPostRow, token: string): Promise<void> {
  try {
    const created = await createPost(ctx, post, token);
    if ('failure' in created) return await recordOutcome(ctx, post, classifyNoAccess(ctx, created));
    await recordPosted(ctx, post, created.id);
  } catch (error) {
    if (!(error instanceof XError)) throw error;
    const { detail, transactionId } = error;
    ctx.log.warn({ err: error, detail, postId: post.id, transactionId }, 'X refused a post');
    await recordOutcome(ctx, post, classifyFailure(error, post.is_ambiguous, ctx.clock.now()), transactionId);
  }
}

type NoAccess = Exclude<Access, { token: string }>;

async function createPost(ctx: AppContext, post: XPostRow, token: string): Promise<{ id: string } | NoAccess> {
  try {
    return await ctx.x.createPost(token, post.body);
  } catch (error) {
    if (!(error instanceof XError) || error.status !== 401) throw error;
    const access = await getAccessToken(ctx, post.user_id, token);
    return 'failure' in access ? access : ctx.x.createPost(access.token, post.body);
  }
}

const classifyNoAccess = (ctx: AppContext, access: NoAccess): Outcome =>
  access.failure === 'broken'
    ? { kind: 'failed', error: 'reauth' }
    : classifyTokenFailure(access.error, ctx.clock.now());

/** X has the post: recorded even if the sweep gave up the attempt. */
const recordPosted = (ctx: AppContext, post: XPostRow, xPostId: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const change = { status: 'posted' as const, error: null, next_attempt_at: null };
    await updatePost(trx, post.id, { ...change, x_post_id: xPostId, cost_usd: PRICE_USD });
    if (await closeCircuit(trx)) ctx.log.info('X takes posts again');
  });

const recordOutcome = (ctx: AppContext, post: XPostRow, outcome: Outcome, transactionId?: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const row = await lockPost(trx, post.id);
    // the sweep gave up the attempt, or another worker claimed the post: this attempt has no effect
    if (row?.status !== post.status || row.attempts !== post.attempts) return;
    await applyOutcome(trx, ctx, row, outcome, transactionId ?? null);
  });

async function applyOutcome(
  trx: Trx,
  ctx: AppContext,
  post: XPostRow,
  outcome: Outcome,
  transaction_id: string | null,
) {
  switch (outcome.kind) {
    case 'posted':
      return updatePost(trx, post.id, { status: 'posted', error: null, transaction_id });
    case 'unknown':
      return updatePost(trx, post.id, { status: 'unknown', is_ambiguous: true, error: outcome.error, transaction_id });
    case 'failed':
      if (outcome.account) await setAccountStatus(trx, post.user_id, outcome.account);
      if (outcome.alert) ctx.log.error({ error: outcome.error }, "X refuses this site's app: posts to X fail");
      return updatePost(trx, post.id, { status: 'failed', error: outcome.error, transaction_id });
    case 'stop': {
      const { until } = await openCircuit(trx, outcome.error, ctx.clock.now());
      ctx.log.error({ until, error: outcome.error }, "X's credits are used up: all posting has stopped");
      return waitUntil(trx, post, new Date(until), { attempts: withoutThisAttempt(post), error: outcome.error });
    }
    case 'retry':
      return retryLater(trx, ctx, post, outcome, transaction_id);
  }
}

async function retryLater(
  trx: Trx,
  ctx: AppContext,
  post: XPostRow,
  { seconds, isAmbiguous, error }: Extract<Outcome, { kind: 'retry' }>,
  transaction_id: string | null,
) {
  const change = { is_ambiguous: post.is_ambiguous || isAmbiguous, error, transaction_id };
  if (seconds === null && post.attempts >= MAX_ATTEMPTS)
    return updatePost(trx, post.id, { ...change, status: change.is_ambiguous ? 'unknown' : 'failed' });
  const pause = seconds ?? FIRST_PAUSE_S * 2 ** Math.max(0, post.attempts - 1) * (1 + Math.random() / 4);
  const at = new Date(ctx.clock.now().valueOf() + pause * 1000);
  const attempts = seconds === null ? post.attempts : withoutThisAttempt(post);
  await waitUntil(trx, post, at, { ...change, attempts });
}

async function waitUntil(trx: Trx, { id }: XPostRow, at: Date, change: Partial<XPostRow>): Promise<void> {
  await updatePost(trx, id, { ...change, status: 'pending', next_attempt_at: at.toISOString() });
  await enqueuePosts(trx, [id], { runAt: at });
}

/** An attempt that X only postponed does not count. */
const withoutThisAttempt = ({ attempts }: XPostRow): number => Math.max(0, attempts - 1);

/** Gives up attempts of killed processes, and queues posts whose ad has passed review. */
export const sweepPosts = (ctx: AppContext): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const lost = await failLostAttempts(trx, LOST_AFTER_S);
    if (lost.length > 0) ctx.log.warn({ posts: lost }, 'posts to X whose fate is unknown');
    await enqueuePosts(trx, await listUnqueuedPosts(trx, LOST_AFTER_S));
  });

export type Outcome =
  /** X has the post already, from an earlier attempt whose response was lost. */
  | { kind: 'posted' }
  /** Retry after this many seconds. With null, the delay grows with the attempts, which then count. */
  | { kind: 'retry'; seconds: number | null; isAmbiguous: boolean; error: string }
  | { kind: 'failed'; error: string; account?: 'suspended'; alert?: boolean }
  /** X may have published the post; only its owner may retry. */
  | { kind: 'unknown'; error: string }
  | { kind: 'stop'; error: string };

const LOCKED = 326;
const RATE_LIMIT_WINDOW_S = 15 * 60;

const retry = (seconds: number | null, isAmbiguous: boolean, error: string): Outcome => ({
  kind: 'retry',
  seconds,
  isAmbiguous,
  error,
});

/**
 * The outcome of a failed attempt (X's documentation of errors, August 2026). `wasAmbiguous`: an earlier attempt may
 * have succeeded.
 */
export const classifyFailure = (error: XError, wasAmbiguous: boolean, now: Date): Outcome => {
  if (error.failure === 'unsent') return retry(null, false, 'unreachable');
  if (error.failure === 'lost') return { kind: 'unknown', error: 'no answer' };
  const status = error.status ?? 0;
  // the token has just been refreshed, so the error is X's; the tokens are kept
  if (status === 401) return retry(null, false, 'unauthorized');
  if (status === 402) return { kind: 'stop', error: error.problem ?? 'payment required' };
  if (status === 403) return classifyForbidden(error, wasAmbiguous);
  if (status === 429) return retry(getSecondsUntilReset(error, now), false, 'rate limited');
  if (status >= 500) return retry(null, true, `X answered ${status}`);
  return { kind: 'failed', error: cutText(`X answered ${status}${error.detail ? `: ${error.detail}` : ''}`, 300) };
};

const classifyForbidden = ({ detail = '', problem = '', codes }: XError, wasAmbiguous: boolean): Outcome => {
  if (/duplicate content/i.test(detail))
    return wasAmbiguous ? { kind: 'posted' } : { kind: 'failed', error: 'duplicate' };
  if (problem === 'user-suspended') return { kind: 'failed', error: 'suspended', account: 'suspended' };
  if (codes.includes(LOCKED)) return { kind: 'failed', error: 'locked' };
  if (/^client-/.test(problem)) return { kind: 'failed', error: problem, alert: true };
  return { kind: 'failed', error: 'forbidden' };
};

const getSecondsUntilReset = ({ rateLimit }: XError, now: Date): number => {
  const wait = rateLimit ? rateLimit.resetAt - now.valueOf() / 1000 : RATE_LIMIT_WINDOW_S;
  return Math.max(1, Math.ceil(wait)) + Math.ceil(Math.random() * 10);
};

/** The outcome if X gave no access token: nothing was sent, so a retry is safe. */
export const classifyTokenFailure = ({ status, rateLimit }: XError, now: Date): Outcome => {
  const seconds = rateLimit && status === 429 ? rateLimit.resetAt - now.valueOf() / 1000 : null;
  return retry(seconds, false, 'no access token');
};
