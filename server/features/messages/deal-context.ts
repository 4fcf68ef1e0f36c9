import { PRICE_RULES } from '../../../contract/prices.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { ConversationRow, OfferRow, ReservationRow, UserRow } from '../../db/rows.ts';
import { dealRefused, forbidden, notFound } from '../../errors.ts';
import { isSelf, isShutOut, type UserActor } from '../../policy.ts';
import { isTakenDown } from '../ads/moderation-states.ts';
import { type AdDetails, findAd, lockAdForUpdate } from '../ads/repository.ts';
import { type BlocksBetween, readBlocksBetween } from '../blocks/repository.ts';
import { type CurrentDeal, lockCurrentDeal } from '../deals/deals-repository.ts';
import { lockOffer } from '../deals/offers-repository.ts';
import { lockReservation } from '../deals/reservations-repository.ts';
import type { DealState, Outcome, Side } from '../deals/state-machine.ts';
import { checkActive } from '../users/active-actor.ts';
import { lockUsersShared } from '../users/repository.ts';
import { lockConversationBetween } from './repository.ts';

/** All that an offer, a reservation or a sale depends on, protected from changes until the transaction ends. */
export interface LockedDeal {
  /** What the actor is. */
  side: Side;
  state: DealState;
  actor: UserRow;
  other: UserRow | undefined;
  blocks: BlocksBetween;
  ad: AdDetails;
  /** Of the actor and the other person about the ad, if one of them wrote. */
  conversation: ConversationRow | undefined;
  /** The newest offer of the conversation, or the wanted one. */
  offer: OfferRow | undefined;
  /** Of the ad, for the other person or for a third. */
  reservation: ReservationRow | undefined;
  deal: CurrentDeal | undefined;
}

const NO_BLOCKS: BlocksBetween = { byOneself: false, byOther: false };

/** What the state of a deal is made of. */
interface DealRows extends Pick<LockedDeal, 'ad' | 'other' | 'blocks' | 'offer'> {
  reservation: Pick<ReservationRow, 'user_id'> | undefined;
  deal: Pick<CurrentDeal, 'buyer_id' | 'is_rated' | 'is_over'> | undefined;
}

const toAdState = ({ ad, other, blocks }: Pick<DealRows, 'ad' | 'other' | 'blocks'>, now: Date): DealState['ad'] => {
  if (ad.state === 'deleted') return 'deleted';
  if (isTakenDown(ad)) return 'taken_down';
  const isApart = blocks.byOneself || blocks.byOther || (other && (isShutOut(other, now) || other.deleted_at !== null));
  return isApart || ad.state !== 'active' || ad.seller_banned ? 'closed' : 'open';
};

export const toDealState = (
  rows: DealRows,
  { buyerId, now }: { buyerId: string | undefined; now: Date },
): DealState => {
  const { ad, offer, reservation, deal } = rows;
  const toHolder = (userId: string | undefined) => userId && (userId === buyerId ? 'buyer' : 'other');
  return {
    ad: toAdState(rows, now),
    isNegotiable: PRICE_RULES[ad.price_type].isNegotiable,
    isSold: ad.is_sold,
    reservedFor: toHolder(reservation?.user_id) || null,
    offer: offer ? { by: offer.maker_id === ad.user_id ? 'seller' : 'buyer', status: offer.status } : null,
    soldTo: toHolder(deal?.buyer_id) || null,
    isRated: deal?.is_rated ?? false,
    isOver: deal?.is_over ?? false,
  };
};

/**
 * Locks what a change of offers, reservations or sales depends on, in the order of all services: the people, the ad, the
 * conversation, then offer, reservation and deal. So of two changes of one ad the second sees the first, and a block, a
 * ban or a deletion happens entirely before or after. `otherId`: the other person; absent for what concerns the ad
 * alone. `offerId`: the offer in question, if it is not the newest. @throws {AppError} not_found (the ad),
 * unauthenticated, account_banned, account_suspended
 */
export const lockDeal = async (
  trx: Trx,
  actor: UserActor,
  { adId, otherId, offerId }: { adId: string; otherId?: string | undefined; offerId?: string | undefined },
): Promise<LockedDeal> => {
  const people = await lockUsersShared(trx, otherId === undefined ? [actor.id] : [actor.id, otherId]);
  const own = people.find(({ id }) => id === actor.id);
  const now = getNow(trx);
  checkActive(own, now);
  const row = await lockAdForUpdate(trx, adId);
  const details = await findAd(trx, adId);
  if (row === undefined || details === undefined) throw notFound('errors.adNotFound');
  const side: Side = isSelf(actor, details.user_id) ? 'seller' : 'buyer';
  const hasOther = otherId !== undefined && !isSelf(actor, otherId);
  const conversation = hasOther ? await lockConversationBetween(trx, adId, actor.id, otherId) : undefined;
  const locked = {
    actor: own,
    other: hasOther ? people.find(({ id }) => id === otherId) : undefined,
    blocks: hasOther ? await readBlocksBetween(trx, actor.id, otherId) : NO_BLOCKS,
    // the seller's row decides about deletion, the time about expiry
    ad: details.state === 'deleted' ? details : { ...details, state: row.state },
    conversation,
    offer: conversation && (await lockOffer(trx, conversation.id, offerId)),
    reservation: await lockReservation(trx, adId),
    deal: await lockCurrentDeal(trx, adId),
  };
  return { ...locked, side, state: toDealState(locked, { buyerId: side === 'buyer' ? actor.id : otherId, now }) };
};

/** The state after an action. @throws {AppError} forbidden, conflict (`fields.state` is the state as it is now) */
export const expectAllowed = (outcome: Outcome): DealState => {
  if ('state' in outcome) return outcome.state;
  if (outcome.refusal === 'forbidden') throw forbidden();
  throw dealRefused(outcome.refusal);
};
