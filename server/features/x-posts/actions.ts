import type { XPosting } from '../../../contract/x-posting.ts';
import type { App } from '../../app.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, notFound, unauthenticated } from '../../errors.ts';
import { isAdmin, maySeePrivate, type UserActor } from '../../policy.ts';
import { findAd } from '../ads/store.ts';
import { holdActor } from '../users/standing.ts';
import { findUser } from '../users/store.ts';
import { findAccount, lockAccount, rememberChoice, setConsent } from './account-store.ts';
import { canPost } from './link.ts';
import { listPostsOfAd, lockPostOfAd, type PostDetails, updatePost } from './post-store.ts';
import { isRetryable, presentXPosting } from './present.ts';
import { enqueuePost } from './queue.ts';
import { dropLink } from './revocation.ts';
import { findStop } from './stop-store.ts';

export async function getXPosting(app: App, actor: UserActor): Promise<XPosting> {
  const user = await findUser(app.db, actor.id);
  if (!user) throw unauthenticated();
  const stop = isAdmin(actor) ? await findStop(app.db) : undefined;
  return presentXPosting(app, user, await findAccount(app.db, actor.id), stop);
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

/** Takes back every permission to post: the link and its tokens are deleted here and revoked at X. */
export async function disconnectX(app: App, actor: UserActor): Promise<XPosting> {
  await inTransaction(app.db, async (trx) => {
    await rememberChoice(trx, actor.id, false);
    await dropLink(trx, actor.id);
  });
  return getXPosting(app, actor);
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
