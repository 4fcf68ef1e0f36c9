import type { XPosting } from '../../../contract/x-posting.ts';
import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, notFound, unauthenticated } from '../../errors.ts';
import { maySeePrivate, type UserActor } from '../../policy.ts';
import { findAd } from '../ads/store.ts';
import { holdActor } from '../users/standing.ts';
import { findUser } from '../users/store.ts';
import {
  deleteAccount,
  findAccount,
  lockAccount,
  rememberChoice,
  setConsent,
  type XAccountRow,
} from './account-store.ts';
import { canPost, openTokens, vaultOf } from './link.ts';
import { listPostsOfAd, lockPostOfAd, type PostDetails, updatePost } from './post-store.ts';
import { isRetryable, presentXPosting } from './present.ts';
import { enqueuePost } from './queue.ts';

export async function getXPosting(app: App, actor: UserActor): Promise<XPosting> {
  const user = await findUser(app.db, actor.id);
  if (!user) throw unauthenticated();
  return presentXPosting(app, user, await findAccount(app.db, actor.id));
}

export interface ConsentChange {
  ads?: boolean | undefined;
  favorites?: boolean | undefined;
}

/** Records consent with its date, or takes it back; what is queued and not yet sent is then not sent. */
export async function changeConsent(app: App, actor: UserActor, { ads, favorites }: ConsentChange): Promise<XPosting> {
  await inTransaction(app.db, async (trx) => {
    await holdActor(trx, actor);
    const account = await lockAccount(trx, actor.id);
    const canAgree = app.config.xPosting === 'api' && account && canPost(account, app.config.xMode);
    if ((ads || favorites) && !canAgree) throw conflict('Connect your X account first');
    if (ads !== undefined) await setConsent(trx, actor.id, 'autopost_ads_at', ads);
    if (favorites !== undefined) await setConsent(trx, actor.id, 'autopost_favorites_at', favorites);
  });
  return getXPosting(app, actor);
}

/** Deletes the link and its tokens, and asks X to forget them too. */
export async function disconnectX(app: App, actor: UserActor): Promise<XPosting> {
  const account = await inTransaction(app.db, async (trx) => {
    const row = await lockAccount(trx, actor.id);
    await rememberChoice(trx, actor.id, false);
    await deleteAccount(trx, actor.id);
    return row;
  });
  if (account) await revokeTokens(app, account);
  return getXPosting(app, actor);
}

/** Both tokens: whether revoking one takes the other is not documented. What X does not answer runs out by itself. */
export async function revokeTokens(app: App, account: XAccountRow): Promise<void> {
  try {
    const { access, refresh } = openTokens(vaultOf(app.config), account);
    for (const token of [refresh, access]) if (token) await app.x.revoke(token);
  } catch (err) {
    app.log.warn({ err, userId: account.user_id }, 'X tokens were deleted here but not revoked at X');
  }
}

/** The posts about an ad: a seller sees the own one, administrators all. */
export async function listAdPosts(app: App, actor: UserActor, adId: string): Promise<PostDetails[]> {
  const ad = await findAd(app.db, adId);
  if (!ad || !maySeePrivate(actor, ad.user_id)) throw notFound('Ad not found');
  return listPostsOfAd(app.db, adId, actor.role === 'admin' ? undefined : { userId: actor.id });
}

/** Another try that a person asks for. After a lost answer, X calling the text a duplicate will count as posted. */
export async function retryPost(app: App, actor: UserActor, adId: string): Promise<PostDetails> {
  await inTransaction(app.db, async (trx) => {
    await holdActor(trx, actor);
    const post = await lockPostOfAd(trx, actor.id, adId);
    if (!post) throw notFound('There is no post about this ad');
    if (!isRetryable(post)) throw conflict('This post is not waiting for another try');
    await updatePost(trx, post.id, { status: 'pending', attempts: 0, error: null, next_attempt_at: null });
    await enqueuePost(trx, post.id);
  });
  const [post] = await listPostsOfAd(app.db, adId, { userId: actor.id });
  return post!;
}
