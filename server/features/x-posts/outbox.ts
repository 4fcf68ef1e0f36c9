import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { XError } from '../../integrations/x/client.ts';
import { enqueue } from '../../jobs/queue.ts';
import {
  closeCircuit,
  countRecentPosts,
  type DispatchContext,
  extendOpenCircuit,
  failLostAttempts,
  findAccount,
  insertPost,
  listUnqueuedPosts,
  lockAccount,
  lockCircuit,
  lockPost,
  type NewPost,
  openCircuit,
  readDispatchContext,
  rememberChoice,
  setAccountStatus,
  setConsent,
  updatePost,
  type XAccountRow,
  type XPostRow,
} from './repository.ts';
import { adUrl, buildIntentUrl, buildPostText, type PostKind } from './text.ts';
import { type Access, canPost, getAccessToken, isLinked } from './tokens.ts';

/**
 * The post, locked, if it may be sent now; otherwise what stands in the way is recorded: consent taken back, a ban, an ad
 * that is gone, a broken link.
 */
export async function claimPost(trx: Trx, ctx: AppContext, id: string): Promise<XPostRow | undefined> {
  const post = await lockPost(trx, id);
  if (post?.status !== 'pending') return undefined;
  const account = await lockAccount(trx, post.user_id);
  const facts = await readDispatchContext(trx, post);
  const skipped = whyNot(post, facts, account, ctx);
  if (skipped) return decline(trx, post, 'skipped', skipped);
  // in review: the sweep takes it up once the ad is public
  if (facts.ad_state === 'pending') return undefined;
  const broken = account && whyBroken(account, ctx);
  if (broken) return decline(trx, post, 'failed', broken);
  return post;
}

const decline = async (trx: Trx, post: XPostRow, status: 'skipped' | 'failed', error: string): Promise<undefined> => {
  await updatePost(trx, post.id, { status, error });
  return undefined;
};

function whyNot(
  post: XPostRow,
  facts: DispatchContext,
  account: XAccountRow | undefined,
  { config }: AppContext,
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

const whyBroken = (account: XAccountRow, { config }: AppContext): string | undefined => {
  if (canPost(account, config.xMode)) return undefined;
  return account.status === 'suspended' ? 'suspended' : 'reauth';
};

/** While posting is stopped everything waits; then one post tries for all. Says whether this one waits. */
export async function mustWaitForCircuit(trx: Trx, ctx: AppContext, post: XPostRow): Promise<boolean> {
  const stop = await lockCircuit(trx);
  if (!stop) return false;
  if (new Date(stop.until) <= ctx.clock.now()) {
    await extendOpenCircuit(trx, stop, ctx.clock.now());
    return false;
  }
  await updatePost(trx, post.id, { next_attempt_at: stop.until, error: stop.reason });
  await enqueuePost(trx, post.id, new Date(stop.until));
  return true;
}

/**
 * Sends one post, at most once: "sending" is committed before X is called, so a process that dies in between leaves a post
 * that nobody sends again by itself (sweep.ts calls it unknown).
 */
export async function dispatchPost(ctx: AppContext, { postId }: { postId: string }): Promise<void> {
  const ready = await inTransaction(ctx.db, async (trx) => {
    const post = await claimPost(trx, ctx, postId);
    return post && !(await mustWaitForCircuit(trx, ctx, post)) ? post : undefined;
  });
  if (!ready) return;
  const access = await getAccessToken(ctx, ready.user_id);
  if ('failure' in access) return recordOutcome(ctx, ready, judgeAccess(ctx, access));
  // asked again: a token may have taken its time
  const post = await inTransaction(ctx.db, async (trx) => {
    const claimed = await claimPost(trx, ctx, postId);
    if (!claimed) return undefined;
    const change = { status: 'sending' as const, attempts: claimed.attempts + 1, error: null };
    await updatePost(trx, postId, change);
    return { ...claimed, ...change };
  });
  if (post) await deliver(ctx, post, access.token);
}

async function deliver(ctx: AppContext, post: XPostRow, token: string): Promise<void> {
  try {
    const { id } = await createWithFreshToken(ctx, post, token);
    await recordPosted(ctx, post, id);
  } catch (error) {
    if (error instanceof AccessLost) return recordOutcome(ctx, post, judgeAccess(ctx, error.access));
    if (!(error instanceof XError)) throw error;
    ctx.log.warn(
      { err: error, detail: error.detail, postId: post.id, transactionId: error.transactionId },
      'X refused a post',
    );
    await recordOutcome(ctx, post, classifyFailure(error, post.is_ambiguous, ctx.clock.now()), error.transactionId);
  }
}

type NoAccess = Exclude<Access, { token: string }>;

class AccessLost extends Error {
  readonly access: NoAccess;
  constructor(access: NoAccess) {
    super('no access token');
    this.access = access;
  }
}

/** On 401 the token is refreshed, once. */
async function createWithFreshToken(ctx: AppContext, post: XPostRow, token: string): Promise<{ id: string }> {
  try {
    return await ctx.x.createPost(token, post.body);
  } catch (error) {
    if (!(error instanceof XError) || error.status !== 401) throw error;
    const access = await getAccessToken(ctx, post.user_id, token);
    if ('failure' in access) throw new AccessLost(access);
    return ctx.x.createPost(access.token, post.body);
  }
}

/** Without a token nothing was sent, so trying later is safe whatever the reason was. */
const judgeAccess = (ctx: AppContext, access: NoAccess): Outcome => {
  if (access.failure === 'broken') return { kind: 'failed', error: 'reauth' };
  const { rateLimit } = access.error;
  const seconds =
    rateLimit && access.error.status === 429 ? rateLimit.resetAt - ctx.clock.now().valueOf() / 1000 : null;
  return { kind: 'retry', seconds, isAmbiguous: false, error: 'no access token' };
};

/** What becomes of a post after an attempt that X did not accept. */
export type Outcome =
  /** It was there already, from an attempt whose answer was lost. */
  | { kind: 'posted' }
  /** Not before so many seconds; null: after the usual, growing pause. */
  | { kind: 'retry'; seconds: number | null; isAmbiguous: boolean; error: string }
  | { kind: 'failed'; error: string; account?: 'suspended'; alert?: boolean }
  /** Nobody knows whether X carried it out; only a person may try again. */
  | { kind: 'unknown'; error: string }
  /** X takes no more posts from the whole site. */
  | { kind: 'stop'; error: string };

const LOCKED = 326;
const RATE_LIMIT_WINDOW_S = 15 * 60;

/** Reads X's refusal of a post (the table in docs of X's errors, August 2026). `wasAmbiguous`: an earlier attempt may have worked. */
export const classifyFailure = (error: XError, wasAmbiguous: boolean, now: Date): Outcome => {
  if (error.failure === 'unsent') return retry(null, false, 'unreachable');
  if (error.failure === 'lost') return { kind: 'unknown', error: 'no answer' };
  const status = error.status ?? 0;
  // the token was refreshed already: X itself has trouble, as on 30 June 2026; the tokens are kept
  if (status === 401) return retry(null, false, 'unauthorized');
  if (status === 402) return { kind: 'stop', error: error.problem ?? 'payment required' };
  if (status === 403) return judgeForbidden(error, wasAmbiguous);
  if (status === 429) return retry(secondsUntilReset(error, now), false, 'rate limited');
  if (status >= 500) return retry(null, true, `X answered ${status}`);
  return { kind: 'failed', error: `X answered ${status}${error.detail ? `: ${error.detail}` : ''}`.slice(0, 300) };
};

const retry = (seconds: number | null, isAmbiguous: boolean, error: string): Outcome => ({
  kind: 'retry',
  seconds,
  isAmbiguous,
  error,
});

const judgeForbidden = ({ detail = '', problem = '', codes }: XError, wasAmbiguous: boolean): Outcome => {
  if (/duplicate content/i.test(detail))
    return wasAmbiguous ? { kind: 'posted' } : { kind: 'failed', error: 'duplicate' };
  if (problem === 'user-suspended') return { kind: 'failed', error: 'suspended', account: 'suspended' };
  if (codes.includes(LOCKED)) return { kind: 'failed', error: 'locked' };
  if (/^client-/.test(problem)) return { kind: 'failed', error: problem, alert: true };
  return { kind: 'failed', error: 'forbidden' };
};

/** Until the window opens, and a little longer, so that not everybody comes back in the same second. */
const secondsUntilReset = ({ rateLimit }: XError, now: Date): number => {
  const wait = rateLimit ? rateLimit.resetAt - now.valueOf() / 1000 : RATE_LIMIT_WINDOW_S;
  return Math.max(1, Math.ceil(wait)) + Math.ceil(Math.random() * 10);
};

/** X's price for one post with a link, in US dollars (pay per use, August 2026). */
const PRICE_USD = '0.20';
const TRIES = 7;
const FIRST_PAUSE_S = 30;

/** X has it. Recorded even if somebody gave the post up meanwhile. */
export const recordPosted = (ctx: AppContext, post: XPostRow, xPostId: string | null): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const paid = xPostId ? { x_post_id: xPostId, cost_usd: PRICE_USD } : {};
    await updatePost(trx, post.id, { status: 'posted', error: null, next_attempt_at: null, ...paid });
    if (await closeCircuit(trx)) ctx.log.info('X takes posts again');
  });

export const recordOutcome = (
  ctx: AppContext,
  post: XPostRow,
  outcome: Outcome,
  transactionId?: string,
): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const row = await lockPost(trx, post.id);
    // given up by the sweep, or taken by another worker: what this one saw counts no more
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
      if (outcome.alert) ctx.log.error({ error: outcome.error }, "X refuses this site's ctx: posts to X fail");
      return updatePost(trx, post.id, { status: 'failed', error: outcome.error, transaction_id });
    case 'stop':
      return waitForCredits(trx, ctx, post, outcome.error);
    case 'retry':
      return tryLater(trx, ctx, post, outcome, transaction_id);
  }
}

async function waitForCredits(trx: Trx, ctx: AppContext, post: XPostRow, error: string): Promise<void> {
  const stop = await openCircuit(trx, error, ctx.clock.now());
  ctx.log.error({ until: stop.until, error }, "X's credits are used up: all posting has stopped");
  await updatePost(trx, post.id, { status: 'pending', attempts: uncounted(post), next_attempt_at: stop.until, error });
  await enqueuePost(trx, post.id, new Date(stop.until));
}

type Retry = Extract<Outcome, { kind: 'retry' }>;

async function tryLater(
  trx: Trx,
  ctx: AppContext,
  post: XPostRow,
  { seconds, isAmbiguous, error }: Retry,
  transaction_id: string | null,
) {
  const is_ambiguous = post.is_ambiguous || isAmbiguous;
  const change = { is_ambiguous, error, transaction_id };
  if (seconds === null && post.attempts >= TRIES)
    return updatePost(trx, post.id, { ...change, status: is_ambiguous ? 'unknown' : 'failed' });
  const pause = seconds ?? FIRST_PAUSE_S * 2 ** Math.max(0, post.attempts - 1) * (1 + Math.random() / 4);
  const at = new Date(ctx.clock.now().valueOf() + pause * 1000);
  const attempts = seconds === null ? post.attempts : uncounted(post);
  await updatePost(trx, post.id, { ...change, status: 'pending', attempts, next_attempt_at: at.toISOString() });
  await enqueuePost(trx, post.id, at);
}

/** Being told to wait is no failed try. */
const uncounted = ({ attempts }: XPostRow): number => Math.max(0, attempts - 1);

const PER_USER_AND_DAY = 10;
const PER_AD_AND_DAY = 5;

type Posting = Pick<AppContext, 'config' | 'x'>;
type PostedAd = Pick<AdRow, 'id' | 'user_id' | 'title' | 'price' | 'state'>;

/** What the answer to a new ad says about X: queued by us, or a composer to open, or neither. */
export interface PostOffer {
  postedToX: boolean;
  intentUrl: string | null;
}

/** Offers a new ad to X as the site's mode and the seller want it, in the ad's own transaction. Never fails the ad. */
export async function offerAdPost(trx: Trx, ctx: Posting, ad: PostedAd, isWanted: boolean): Promise<PostOffer> {
  const { xPosting, publicUrl } = ctx.config;
  if (xPosting === 'intent' && ad.state === 'active') {
    const text = buildPostText('ad', ad, adUrl(publicUrl, ad.id));
    return { postedToX: false, intentUrl: buildIntentUrl(ctx.x.urls.web, text) };
  }
  if (xPosting !== 'api') return { postedToX: false, intentUrl: null };
  await rememberChoice(trx, ad.user_id, isWanted);
  return { postedToX: isWanted && (await queuePost(trx, ctx, 'ad', ad.user_id, ad)), intentUrl: null };
}

/** Queues a post about a saved ad if this person agreed to such posts, in the favorite's own transaction. */
export const queueFavoritePost = async (trx: Trx, ctx: Posting, userId: string, ad: PostedAd): Promise<boolean> =>
  ctx.config.xPosting === 'api' && ad.state === 'active' && queuePost(trx, ctx, 'favorite', userId, ad);

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

// Longer than any sender can take: two calls to X, a refresh and a wait for its lock.
const LOST_AFTER_S = 180;

/** Finds what a killed process left behind, and posts whose ad has come out of review. */
export const sweepPosts = (ctx: AppContext): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const lost = await failLostAttempts(trx, LOST_AFTER_S);
    if (lost.length > 0) ctx.log.warn({ posts: lost }, 'posts to X whose fate is unknown');
    for (const postId of await listUnqueuedPosts(trx, LOST_AFTER_S)) await enqueuePost(trx, postId);
  });
