import type { Conversation } from '../../../contract/conversations.ts';
import { PRICE_RULES } from '../../../contract/prices.ts';
import type { AppContext } from '../../app-context.ts';
import type { Page, Paging } from '../../db/pagination.ts';
import type { DealRow, MessageRow, UserRow } from '../../db/rows.ts';
import { isSelf, maySeeProfile, type UserActor } from '../../policy.ts';
import type { AdDetails } from '../ads/repository.ts';
import { findNewestDealBetween } from '../deals/deals-repository.ts';
import { findAgreedPrice, findNewestOffer } from '../deals/offers-repository.ts';
import { readAttachments } from '../messages/attachments.ts';
import { toDealState } from '../messages/deal-context.ts';
import { readMessagingContext } from '../messages/messaging-context.ts';
import { findSendRefusal, isHiddenFrom } from '../messages/messaging-policy.ts';
import { presentMessageAd, presentThreadMessage, toMessageContext } from '../messages/presenter.ts';
import { listMessages } from '../messages/repository.ts';
import { listRatingsOfDeals } from '../ratings/repository.ts';
import { presentDeal } from '../sales/presenter.ts';
import { presentUser } from '../users/presenter.ts';
import { listActions } from './actions.ts';

const NO_MESSAGES: Page<MessageRow> = { rows: [], nextCursor: null };

const readDealOf = async (
  { db, clock }: AppContext,
  actor: UserActor,
  { row, ad, other }: { row: DealRow; ad: AdDetails; other: UserRow },
): Promise<Conversation['deal']> => {
  const context = {
    ads: new Map([[ad.id, ad]]),
    users: new Map([[other.id, other]]),
    ratings: { [row.id]: await listRatingsOfDeals(db, [row.id]) },
    now: clock.now().valueOf(),
  };
  const { ad: _ad, other: _other, ...deal } = presentDeal(row, context, actor);
  return deal;
};

/** A conversation as the actor sees it now. Nothing is locked: services check again what the actor does. */
export const readConversation = async (
  ctx: AppContext,
  actor: UserActor,
  key: { adId: string; otherUserId: string },
  paging: Paging,
): Promise<{ conversation: Conversation; page: Page<MessageRow> }> => {
  const { db, config } = ctx;
  const context = await readMessagingContext(ctx, actor, key);
  const { ad, other, conversation: row, hasBegun, blocks } = context;
  const [page, offer, deal, agreedPrice] = row
    ? await Promise.all([
        listMessages(db, row.id, paging),
        findNewestOffer(db, row.id),
        findNewestDealBetween(db, row),
        findAgreedPrice(db, row.id),
      ])
    : [NO_MESSAGES, undefined, undefined, null];
  const attachments = await readAttachments(
    db,
    page.rows.map(({ id }) => id),
  );
  const now = ctx.clock.now();
  const refusal = findSendRefusal(actor, context, now);
  const showsAd = ad !== undefined && (hasBegun || !isHiddenFrom(actor, context));
  const side = ad && isSelf(actor, ad.user_id) ? 'seller' : 'buyer';
  const reservation = ad?.reserved_for ? { user_id: ad.reserved_for } : undefined;
  const buyerId = side === 'buyer' ? actor.id : key.otherUserId;
  const messageContext = toMessageContext(config, { ads: [], users: [], ...attachments });
  return {
    page,
    conversation: {
      ad: showsAd ? presentMessageAd(ad, actor, key.otherUserId) : null,
      other: other !== undefined && (hasBegun || maySeeProfile(actor, other, now)) ? presentUser(other) : null,
      deal: ad && other && deal ? await readDealOf(ctx, actor, { row: deal, ad, other }) : null,
      agreedPrice,
      isBlocked: blocks.byOneself,
      actions: showsAd
        ? listActions({
            side,
            // Nothing that is done in a conversation depends on the deal.
            deal: toDealState({ ad, other, blocks, offer, reservation, deal: undefined }, { buyerId, now }),
            canSend: refusal === null,
            hasBegun,
            isForSale: PRICE_RULES[ad.price_type].isForSale,
          })
        : [],
      reason: refusal,
      messages: page.rows.map((message) => presentThreadMessage(message, messageContext, actor)),
    },
  };
};
