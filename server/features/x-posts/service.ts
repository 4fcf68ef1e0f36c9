import type { XPosting } from '../../../contract/x-posting.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, notFound, unauthenticated } from '../../errors.ts';
import type { XTokens } from '../../integrations/x/client.ts';
import { type Actor, isAdmin, maySeePrivate, type UserActor } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveActor, lockActiveAdmin } from '../users/active-actor.ts';
import { findUser } from '../users/repository.ts';
import { enqueuePosts } from './outbox.ts';
import { isRetryable, presentXPosting } from './presenter.ts';
import {
  closeCircuit,
  countWaitingPosts,
  findAccount,
  findOpenCircuit,
  findSellerOfAd,
  listPostsOfAd,
  listStoppedPosts,
  lockAccount,
  lockPostOfAd,
  type PostDetails,
  rememberChoice,
  resetWait,
  saveLink,
  setConsent,
  updatePost,
} from './repository.ts';
import {
  allowsPosting,
  canPost,
  createTokenEncryption,
  disconnectAccount,
  encryptTokens,
  queueRevocation,
} from './tokens.ts';

export async function getXPosting(ctx: AppContext, actor: UserActor): Promise<XPosting> {
  const user = await findUser(ctx.db, actor.id);
  if (!user) throw unauthenticated();
  const circuit = isAdmin(actor) ? await findOpenCircuit(ctx.db) : undefined;
  return presentXPosting(ctx, user, await findAccount(ctx.db, actor.id), circuit);
}

export interface ConsentChange {
  ads?: boolean | undefined;
  favorites?: boolean | undefined;
}

/** Records or withdraws consent. After a withdrawal, queued posts are not sent. */
export async function changeConsent(
  ctx: AppContext,
  actor: UserActor,
  { ads, favorites }: ConsentChange,
): Promise<XPosting> {
  await inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    const account = await lockAccount(trx, actor.id);
    const canAgree = ctx.config.xPosting === 'api' && account && canPost(account, ctx.config.x.mode);
    if ((ads || favorites) && !canAgree) throw conflict('errors.connectX');
    if (ads !== undefined) await setConsent(trx, actor.id, 'autopost_ads_at', ads);
    if (favorites !== undefined) await setConsent(trx, actor.id, 'autopost_favorites_at', favorites);
  });
  return getXPosting(ctx, actor);
}

/** Withdraws every permission to post: deletes the link and its tokens here and revokes them at X. */
export async function disconnectX(ctx: AppContext, actor: UserActor): Promise<XPosting> {
  await inTransaction(ctx.db, async (trx) => {
    await rememberChoice(trx, actor.id, false);
    await disconnectAccount(trx, actor.id);
  });
  return getXPosting(ctx, actor);
}

export async function listAdPosts(ctx: AppContext, actor: UserActor, adId: string): Promise<PostDetails[]> {
  const sellerId = await findSellerOfAd(ctx.db, adId);
  if (sellerId === undefined || !maySeePrivate(actor, sellerId)) throw notFound('errors.adNotFound');
  return listPostsOfAd(ctx.db, adId, isAdmin(actor) ? undefined : { userId: actor.id });
}

/**
 * Retries a post on its owner's request. After a lost response, X refusing the text as a duplicate counts as posted.
 */
export async function retryPost(ctx: AppContext, actor: UserActor, adId: string): Promise<PostDetails> {
  await inTransaction(ctx.db, async (trx) => {
    await lockActiveActor(trx, actor);
    const post = await lockPostOfAd(trx, actor.id, adId);
    if (!post) throw notFound('errors.postNotFound');
    if (!isRetryable(post)) throw conflict('errors.postNotWaiting');
    await updatePost(trx, post.id, { status: 'pending', attempts: 0, error: null, next_attempt_at: null });
    await enqueuePosts(trx, [post.id]);
  });
  const [post] = await listPostsOfAd(ctx.db, adId, { userId: actor.id });
  return post!;
}

/** `other-account`: another X account gave consent. `scopes`: X granted fewer than posting needs. */
export type ConnectResult = 'connected' | 'other-account' | 'scopes';

/**
 * Links the signed-in user's X account for posting, with the tokens from X's consent page. Consent to posts is a
 * separate step (changeConsent, or the box in the form). @throws {XError}
 */
export async function connectX(ctx: AppContext, actor: UserActor, tokens: XTokens): Promise<ConnectResult> {
  const profile = await ctx.x.me(tokens.accessToken);
  const result = await inTransaction(ctx.db, async (trx): Promise<ConnectResult> => {
    const user = await lockActiveActor(trx, actor);
    if (user.x_id !== profile.id) return 'other-account';
    if (!allowsPosting(tokens.scopes) || !tokens.refreshToken) return 'scopes';
    const owner = { user_id: user.id, env: ctx.config.x.mode };
    const encrypted = encryptTokens(createTokenEncryption(ctx.config.tokenEncKey), owner, tokens);
    const before = await lockAccount(trx, actor.id);
    if (before) await queueRevocation(trx, before);
    await saveLink(trx, { ...owner, x_id: profile.id, ...encrypted }, tokens.expiresIn);
    return 'connected';
  });
  if (result !== 'connected') await revokeAll(ctx, tokens);
  return result;
}

const revokeAll = async (ctx: AppContext, { accessToken, refreshToken }: XTokens): Promise<void> => {
  for (const token of [refreshToken, accessToken])
    if (token) await ctx.x.revoke(token).catch((err: unknown) => ctx.log.warn({ err }, 'tokens were not revoked'));
};

export interface PostingState {
  /** `off` and `intent`: the marketplace itself posts nothing (X_POSTING). */
  posting: 'off' | 'intent' | 'on' | 'stopped';
  since: string | null;
  reason: string | null;
  until: string | null;
  waiting: number;
}

export async function readPostingState({ db, config }: Pick<AppContext, 'db' | 'config'>): Promise<PostingState> {
  const circuit = await findOpenCircuit(db);
  const waiting = await countWaitingPosts(db);
  const mode = config.xPosting === 'api' ? 'on' : config.xPosting;
  if (!circuit) return { posting: mode, since: null, reason: null, until: null, waiting };
  const { since, reason, until } = circuit;
  return { posting: mode === 'on' ? 'stopped' : mode, since, reason, until, waiting };
}

/**
 * Closes the circuit early and queues the posts that waited for it. If X still accepts none, the circuit opens again.
 * Returns the number of queued posts; undefined if the circuit was closed.
 */
export const resumePostingToX = (
  ctx: AppContext,
  actor: Actor,
  { reason }: AuditContext = {},
): Promise<number | undefined> =>
  inTransaction(ctx.db, async (trx) => {
    await lockActiveAdmin(trx, actor);
    const circuit = await findOpenCircuit(trx);
    if (!circuit) return undefined;
    // posts before the circuit: a dispatch locks in the same order
    const posts = await listStoppedPosts(trx, circuit.reason);
    if (!(await closeCircuit(trx))) return undefined;
    await resetWait(trx, posts);
    await enqueuePosts(trx, posts);
    const details = { since: circuit.since, posts: posts.length, reason };
    await recordAudit(trx, actor, { action: 'posting.resume', details });
    return posts.length;
  });
