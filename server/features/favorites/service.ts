import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import { maySeeAd, type UserActor } from '../../policy.ts';
import { findAd, lockAdShared } from '../ads/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { queueFavoritePost } from '../x-posts/outbox.ts';
import { addFavorite, isFavorite, lockFavorite, removeFavorite } from './repository.ts';

export const getFavoriteStatus = async ({ db }: AppContext, actor: UserActor, adId: string): Promise<boolean> => {
  if (await isFavorite(db, actor.id, adId)) return true;
  const ad = await findAd(db, adId);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('errors.adNotFound');
  return false;
};

export interface FavoriteChange {
  isFavorited: boolean;
  postedToX: boolean;
}

/** Saves the ad, or removes a saved ad, even one that is now hidden. Returns the new state. */
export const toggleFavorite = (ctx: AppContext, actor: UserActor, adId: string): Promise<FavoriteChange> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockActiveActor(trx, actor);
    await lockFavorite(trx, user.id, adId);
    if (await removeFavorite(trx, user.id, adId)) return { isFavorited: false, postedToX: false };
    const ad = await lockAdShared(trx, adId);
    if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('errors.adNotFound');
    await addFavorite(trx, user.id, adId);
    return { isFavorited: true, postedToX: await queueFavoritePost(trx, ctx, user.id, ad) };
  });
