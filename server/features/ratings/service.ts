import type { BodyOf } from '../../../contract/endpoint.ts';
import type { rateDeal as api } from '../../../contract/ratings.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, dealRefused, forbidden, notFound } from '../../errors.ts';
import { isSelf, type UserActor } from '../../policy.ts';
import { findDeal, lockDealById } from '../deals/deals-repository.ts';
import { publishDeal } from '../deals/endings-repository.ts';
import { updateRatingFigures } from '../deals/rating-figures-repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { lockUsers } from '../users/repository.ts';
import { notifyOfHiddenRating, notifyOfReply, notifyOfRevealed } from './notify.ts';
import {
  findRating,
  insertRating,
  insertReply,
  listRatingsOfDeals,
  lockRating,
  type RatingDetails,
  revealRatings,
} from './repository.ts';

/**
 * Rates the other person of a deal. The second rating makes both public. @throws {AppError} not_found (the actor is not
 * one of the two, the deal was undone, or the other account was deleted), conflict (`rated`, `too_late`)
 */
export const rateDeal = (
  ctx: AppContext,
  actor: UserActor,
  dealId: string,
  { value, tags, text }: BodyOf<typeof api>,
): Promise<RatingDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const pair = await findDeal(trx, dealId);
    const isParty = pair !== undefined && (isSelf(actor, pair.seller_id) || isSelf(actor, pair.buyer_id));
    if (!isParty) throw notFound('errors.dealNotFound');
    const people = await lockUsers(trx, [pair.seller_id, pair.buyer_id]);
    await lockActiveActor(trx, actor);
    const deal = await lockDealById(trx, dealId);
    if (deal === undefined) throw notFound('errors.dealUndone');
    const rater = people.find(({ id }) => isSelf(actor, id))!;
    const rated = people.find(({ id }) => !isSelf(actor, id))!;
    if (rated.deleted_at !== null) throw notFound('errors.nobodyToRate');
    const before = await listRatingsOfDeals(trx, [dealId]);
    if (before.some(({ rater_id }) => isSelf(actor, rater_id))) throw dealRefused('rated');
    if (deal.is_over) throw dealRefused('too_late');
    const id = await insertRating(trx, { deal_id: dealId, rater_id: rater.id, rated_id: rated.id, value, tags, text });
    await publishDeal(trx, { adId: deal.ad_id, sellerId: deal.seller_id, buyerId: deal.buyer_id });
    if (before.length === 0) await notifyOfHiddenRating(trx, deal, rater, rated);
    else {
      const revealed = await revealRatings(trx, dealId);
      await updateRatingFigures(
        trx,
        people.map((person) => person.id),
      );
      await notifyOfRevealed(trx, deal, revealed, people);
    }
    return (await findRating(trx, id))!;
  });

/**
 * Replies in public to a public rating of the actor. @throws {AppError} not_found, forbidden (it is not about the actor),
 * conflict (replied already)
 */
export const replyToRating = (ctx: AppContext, actor: UserActor, id: string, text: string): Promise<RatingDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const user = await lockActiveActor(trx, actor);
    const rating = await lockRating(trx, id);
    if (rating === undefined || !rating.is_public) throw notFound('errors.ratingNotFound');
    if (!isSelf(actor, rating.rated_id)) throw forbidden('errors.ratedReplies');
    if (rating.reply !== null) throw conflict('errors.repliedAlready');
    await insertReply(trx, id, text);
    await notifyOfReply(trx, (await findDeal(trx, rating.deal_id))!, rating.rater_id, user);
    return (await findRating(trx, id))!;
  });
