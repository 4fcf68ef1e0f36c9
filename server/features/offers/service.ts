import { padAmount } from '../../../contract/amount-rules.ts';
import { formatPrice } from '../../../contract/money.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { MessageRow, OfferRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { messagesNotAllowed, notFound } from '../../errors.ts';
import { maySeeOffer, type UserActor } from '../../policy.ts';
import { publishOffer } from '../deals/endings-repository.ts';
import { findOffer, insertOffer, settleOffer } from '../deals/offers-repository.ts';
import { reserve } from '../deals/reservations-repository.ts';
import { type Action, act } from '../deals/state-machine.ts';
import { checkNewMessage, checkXAccountAge } from '../gates/gates.ts';
import { expectAllowed, type LockedDeal, lockDeal } from '../messages/deal-context.ts';
import { findSendRefusal, isHiddenFrom } from '../messages/messaging-policy.ts';
import { findTitle } from '../messages/presenter.ts';
import { findMessage, insertMessage, lockMessagesOf, upsertConversation } from '../messages/repository.ts';
import { toAmount } from '../notifications/news-values.ts';
import { insertNotification } from '../notifications/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { insertWebhookEvents } from '../webhooks/events-repository.ts';
import { settleExpired } from './expiry.ts';

/** Checks what every message is checked for, except limits about its text. @throws {AppError} */
const checkGates = async (trx: Trx, actor: UserActor, deal: LockedDeal): Promise<void> => {
  const context = { ...deal, hasBegun: deal.conversation !== undefined };
  if (isHiddenFrom(actor, context)) throw notFound('errors.adNotFound');
  const refusal = findSendRefusal(actor, context, getNow(trx));
  if (refusal !== null) throw messagesNotAllowed(refusal);
  checkXAccountAge(await readSettings(trx), actor, deal.actor, { purpose: 'offers', now: getNow(trx) });
};

/**
 * Adds the message and the offer in it, and the conversation if this is its first message. The caller has passed the
 * gates and settled the offer before it.
 */
const add = async (trx: Trx, { conversation, ad, actor, other }: LockedDeal, amount: string): Promise<MessageRow> => {
  const conversationId =
    conversation?.id ?? (await upsertConversation(trx, { ad_id: ad.id, seller_id: ad.user_id, buyer_id: actor.id }));
  const about = { conversation_id: conversationId, ad_id: ad.id };
  const message = await insertMessage(trx, {
    ...about,
    sender_id: actor.id,
    receiver_id: other!.id,
    content: `Offer: ${formatPrice(amount)}`,
    // the same amount to several people is no spam
    text_hash: null,
  });
  if (message === undefined) throw messagesNotAllowed('no_messages');
  const offer = await insertOffer(trx, {
    ...about,
    message_id: message.id,
    maker_id: actor.id,
    receiver_id: other!.id,
    amount: padAmount(amount),
  });
  await publishOffer(trx, offer);
  const told = { offerId: offer.id, messageId: message.id, adId: ad.id, personId: actor.id, amount: padAmount(amount) };
  await insertWebhookEvents(trx, [{ type: 'offer.made', userId: other!.id, data: told }]);
  return message;
};

/**
 * Offers the other person a price for an ad, also as the first message to its seller. Returns the message that carries
 * the offer. @throws {AppError} not_found, messages_not_allowed (the message is the refusal), forbidden (young X
 * account), rate_limited (limits of first messages), conflict (`fields.state` of DEAL_REFUSALS), account_banned,
 * account_suspended
 */
export const makeOffer = (
  ctx: AppContext,
  actor: UserActor,
  { adId, receiverId, amount }: { adId: string; receiverId: string; amount: string },
): Promise<MessageRow> =>
  inTransaction(ctx.db, async (trx) => {
    await lockMessagesOf(trx, actor.id);
    const deal = await lockDeal(trx, actor, { adId, otherId: receiverId });
    await checkGates(trx, actor, deal);
    expectAllowed(act(deal.state, 'make', deal.side));
    if (deal.conversation) await settleExpired(trx, { conversationId: deal.conversation.id });
    else await checkNewMessage(trx, actor, deal.actor, { receiverId, adId, textHash: null, isFirst: true });
    return add(trx, deal, amount);
  });

const lockOwnOffer = async (
  trx: Trx,
  actor: UserActor,
  offerId: string,
  action: Action,
): Promise<{ deal: LockedDeal; offer: OfferRow }> => {
  const found = await findOffer(trx, offerId);
  if (found === undefined || !maySeeOffer(actor, found)) throw notFound('errors.offerNotFound');
  const otherId = found.maker_id === actor.id ? found.receiver_id : found.maker_id;
  const deal = await lockDeal(trx, actor, { adId: found.ad_id, otherId, offerId });
  expectAllowed(act(deal.state, action, deal.side));
  return { deal, offer: deal.offer! };
};

type Answer = { is: 'accepted'; buyer: string | null; day: string } | { is: 'declined' };

const notifyMaker = (trx: Trx, { actor, ad }: LockedDeal, offer: OfferRow, answer: Answer): Promise<void> =>
  insertNotification(trx, {
    userId: offer.maker_id,
    kind: 'offer',
    params: { ...answer, name: actor.display_name, ad: findTitle(ad), ...toAmount(offer.amount) },
    url: `/messages/${ad.id}/${actor.id}`,
    sourceUserId: actor.id,
  });

/** Both hear of it: the program of one of them may know nothing of what the person did here. */
const tellOfAcceptance = (trx: Trx, offer: OfferRow): Promise<void> => {
  const { id: offerId, message_id: messageId, ad_id: adId, maker_id, receiver_id } = offer;
  const told = { offerId, messageId, adId, amount: padAmount(offer.amount) };
  return insertWebhookEvents(trx, [
    { type: 'offer.accepted', userId: maker_id, data: { ...told, personId: receiver_id } },
    { type: 'offer.accepted', userId: receiver_id, data: { ...told, personId: maker_id } },
  ]);
};

/**
 * Accepts an open offer of the other person, which reserves the ad for the buyer. Of two at once about one ad the second
 * is refused. Returns the offer's message. @throws {AppError} not_found, forbidden (the own offer), conflict
 * (`fields.state`)
 */
export const acceptOffer = (ctx: AppContext, actor: UserActor, offerId: string): Promise<MessageRow> =>
  inTransaction(ctx.db, async (trx) => {
    const { deal, offer } = await lockOwnOffer(trx, actor, offerId, 'accept');
    const buyer = deal.side === 'buyer' ? deal.actor : deal.other!;
    await settleOffer(trx, offerId, 'accepted');
    const { ends_at } = await reserve(trx, { adId: deal.ad.id, userId: buyer.id, offerId });
    await notifyMaker(trx, deal, offer, {
      is: 'accepted',
      buyer: offer.maker_id === buyer.id ? null : buyer.display_name,
      day: ends_at,
    });
    await publishOffer(trx, offer);
    await tellOfAcceptance(trx, offer);
    return (await findMessage(trx, offer.message_id))!;
  });

/** Declines an open offer of the other person. Returns and throws like acceptOffer. */
export const declineOffer = (ctx: AppContext, actor: UserActor, offerId: string): Promise<MessageRow> =>
  inTransaction(ctx.db, async (trx) => {
    const { deal, offer } = await lockOwnOffer(trx, actor, offerId, 'decline');
    await settleOffer(trx, offerId, 'declined');
    await notifyMaker(trx, deal, offer, { is: 'declined' });
    await publishOffer(trx, offer);
    return (await findMessage(trx, offer.message_id))!;
  });

/** Withdraws an own open offer. Returns and throws like acceptOffer; forbidden for the other person's offer. */
export const withdrawOffer = (ctx: AppContext, actor: UserActor, offerId: string): Promise<MessageRow> =>
  inTransaction(ctx.db, async (trx) => {
    const { offer } = await lockOwnOffer(trx, actor, offerId, 'withdraw');
    await settleOffer(trx, offerId, 'withdrawn');
    await publishOffer(trx, offer);
    return (await findMessage(trx, offer.message_id))!;
  });

/**
 * Responds to an open offer of the other person with another price, for which the gates of makeOffer apply. Returns the
 * message of the new offer.
 */
export const counterOffer = (ctx: AppContext, actor: UserActor, offerId: string, amount: string): Promise<MessageRow> =>
  inTransaction(ctx.db, async (trx) => {
    const { deal, offer } = await lockOwnOffer(trx, actor, offerId, 'counter');
    await checkGates(trx, actor, deal);
    await settleOffer(trx, offerId, 'countered');
    await publishOffer(trx, offer);
    return add(trx, deal, amount);
  });
