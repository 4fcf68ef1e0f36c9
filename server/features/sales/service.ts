import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { forbidden, invalid, notFound } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { isSelf, mayChangeAd, maySeeAd, type UserActor } from '../../policy.ts';
import { settleExpiry } from '../ads/own-ads.ts';
import { type AdDetails, findAd, inDays, stateByTime, updateOwnAd } from '../ads/repository.ts';
import { closeDeal, deleteDeal, findDeal, insertDeal } from '../deals/deals-repository.ts';
import { endOffersAndReservations, publishDeal } from '../deals/endings-repository.ts';
import { release, reserve } from '../deals/reservations-repository.ts';
import { act } from '../deals/state-machine.ts';
import { expectAllowed, type LockedDeal, lockDeal } from '../messages/deal-context.ts';
import { insertNotification } from '../notifications/repository.ts';

/** Like lockDeal, for an ad of the actor. Another user's ad is forbidden when it is public and not found when hidden. */
const lockOwnDeal = async (trx: Trx, actor: UserActor, adId: string, otherId?: string): Promise<LockedDeal> => {
  const locked = await lockDeal(trx, actor, { adId, otherId });
  if (!maySeeAd(actor, locked.ad)) throw notFound('errors.adNotFound');
  if (!mayChangeAd(actor, locked.ad)) throw forbidden('errors.notYourAd');
  return locked;
};

/** The other person, who must have written about the ad. @throws {AppError} validation_failed, of this field */
const expectWriter = (actor: UserActor, { other, conversation }: LockedDeal, field: string, id: string): UserRow => {
  if (isSelf(actor, id)) throw invalid({ [field]: 'errors.ownAdBuyer' });
  if (other === undefined || conversation === undefined) throw invalid({ [field]: 'errors.chooseWriter' });
  if (other.deleted_at !== null) throw invalid({ [field]: 'errors.personDeleted' });
  return other;
};

const toConversationPath = (adId: string, otherId: string): string => `/messages/${adId}/${otherId}`;

/**
 * Reserves one of the actor's own ads for a person who wrote about it. A repetition changes nothing, not even the end.
 * @throws {AppError} not_found, forbidden, validation_failed (userId), conflict (`fields.state`)
 */
export const reserveAd = (ctx: AppContext, actor: UserActor, adId: string, userId: string): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const locked = await lockOwnDeal(trx, actor, adId, userId);
    const person = expectWriter(actor, locked, 'userId', userId);
    expectAllowed(act(locked.state, 'reserve', 'seller'));
    if (locked.state.reservedFor === null) {
      await reserve(trx, { adId, userId });
      await publishDeal(trx, { adId, sellerId: actor.id, buyerId: userId });
      await insertNotification(trx, {
        userId: person.id,
        kind: 'reservation',
        params: { is: 'reserved', ad: locked.ad.title },
        url: toConversationPath(adId, actor.id),
        sourceUserId: actor.id,
      });
    }
    return (await findAd(trx, adId))!;
  });

/**
 * Ends the reservation of an ad, by its owner or the person for whom it is reserved. Without one, nothing changes.
 * @throws {AppError} not_found, forbidden
 */
export const releaseAd = (ctx: AppContext, actor: UserActor, adId: string): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const seen = await findAd(trx, adId);
    if (seen === undefined || !maySeeAd(actor, seen)) throw notFound('errors.adNotFound');
    const { reserved_for: holderId } = seen;
    if (holderId === null) return seen;
    const isOwner = isSelf(actor, seen.user_id);
    const otherId = isOwner ? holderId : seen.user_id;
    const { state, side, reservation, actor: by } = await lockDeal(trx, actor, { adId, otherId });
    expectAllowed(act(state, 'release', side));
    // the other person may have released it while this one waited for the locks
    if (reservation === undefined || (await release(trx, adId)) === undefined) return (await findAd(trx, adId))!;
    await publishDeal(trx, { adId, sellerId: seen.user_id, buyerId: reservation.user_id });
    await insertNotification(trx, {
      userId: isOwner ? reservation.user_id : otherId,
      kind: 'reservation',
      params: isOwner
        ? { is: 'released', ad: seen.title }
        : { is: 'releasedBy', ad: seen.title, name: by.display_name },
      url: toConversationPath(adId, actor.id),
      sourceUserId: actor.id,
    });
    return (await findAd(trx, adId))!;
  });

export interface Sale {
  isSold: boolean;
  /** Of a person who wrote about the ad. */
  buyerId?: string | undefined;
}

/**
 * Marks one of the actor's own ads as sold, to a person or elsewhere, or as available. A repetition without a buyer
 * changes nothing, not even the date. A sale ends offers and the reservation; an ad that is available again loses a deal
 * that has no rating.
 * @throws {AppError} not_found, forbidden, validation_failed (buyerId), conflict (`fields.state`)
 */
export const setAdSold = (ctx: AppContext, actor: UserActor, id: string, sale: Sale): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const locked = await lockOwnDeal(trx, actor, id, sale.buyerId);
    if (sale.isSold) await sell(trx, ctx, actor, locked, sale.buyerId);
    else await relist(trx, locked);
    return (await findAd(trx, id))!;
  });

const sell = async (
  trx: Trx,
  { config }: Pick<AppContext, 'config'>,
  actor: UserActor,
  locked: LockedDeal,
  buyerId: string | undefined,
): Promise<void> => {
  const { ad, state } = locked;
  if (state.isSold && buyerId === undefined) return settleExpiry(trx, ad.user_id, ad.id);
  const buyer = buyerId === undefined ? undefined : expectBuyer(actor, locked, buyerId);
  expectAllowed(act(state, buyer ? 'sell_to_buyer' : 'sell_elsewhere', 'seller'));
  await updateOwnAd(trx, ad.id, ad.user_id, {
    is_sold: true,
    sold_at: trx.fn.now(),
    sold_listed_until: inDays(trx, config.soldListedDays),
    state: ad.state,
  });
  await settleExpiry(trx, ad.user_id, ad.id);
  await endOffersAndReservations(trx, { adIds: [ad.id] });
  if (buyer) {
    await insertDeal(trx, { ad_id: ad.id, seller_id: ad.user_id, buyer_id: buyer.id });
    await publishDeal(trx, { adId: ad.id, sellerId: ad.user_id, buyerId: buyer.id });
    await insertNotification(trx, {
      userId: buyer.id,
      kind: 'deal',
      params: { is: 'soldToYou', ad: ad.title, name: locked.actor.display_name },
      url: '/dashboard#purchases',
      sourceUserId: actor.id,
    });
  }
  await enqueue(trx, 'notify-of-sale', { adId: ad.id }, { key: `sale ${ad.id}` });
};

const expectBuyer = (actor: UserActor, locked: LockedDeal, buyerId: string): UserRow => {
  const { byOneself, byOther } = locked.blocks;
  const buyer = expectWriter(actor, locked, 'buyerId', buyerId);
  // the actor does not learn who blocked whom
  if (byOneself || byOther) throw invalid({ buyerId: 'errors.cannotChoose' });
  return buyer;
};

const relist = async (trx: Trx, { ad, deal, state }: LockedDeal): Promise<void> => {
  expectAllowed(act(state, 'relist', 'seller'));
  if (!state.isSold) return;
  await updateOwnAd(trx, ad.id, ad.user_id, {
    is_sold: false,
    sold_at: null,
    sold_listed_until: null,
    state: stateByTime(trx),
  });
  if (deal?.is_rated) await closeDeal(trx, deal.id);
  else if (deal) await deleteDeal(trx, deal.id);
  if (deal) await publishDeal(trx, { adId: ad.id, sellerId: deal.seller_id, buyerId: deal.buyer_id });
};

/**
 * Undoes a deal that nobody has rated, because the actor did not buy this. The ad stays sold.
 * @throws {AppError} not_found (also for the deals of others), conflict (`fields.state`)
 */
export const undoPurchase = (ctx: AppContext, actor: UserActor, dealId: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const found = await findDeal(trx, dealId);
    if (found === undefined || !isSelf(actor, found.buyer_id)) throw notFound('errors.purchaseNotFound');
    const locked = await lockDeal(trx, actor, { adId: found.ad_id, otherId: found.seller_id });
    if ((await findDeal(trx, dealId)) === undefined) throw notFound('errors.purchaseNotFound');
    // a deal that is no longer the current one has ratings: without them it would be deleted
    expectAllowed(locked.deal?.id === dealId ? act(locked.state, 'undo', 'buyer') : { refusal: 'has_rating' });
    await deleteDeal(trx, dealId);
    await publishDeal(trx, { adId: found.ad_id, sellerId: found.seller_id, buyerId: actor.id });
    await insertNotification(trx, {
      userId: found.seller_id,
      kind: 'deal',
      params: { is: 'notBought', ad: locked.ad.title, name: locked.actor.display_name },
      url: `/ads/${found.ad_id}`,
      sourceUserId: actor.id,
    });
  });
