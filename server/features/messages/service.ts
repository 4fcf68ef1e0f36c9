import type { AppContext } from '../../app-context.ts';
import type { MessageRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, notFound, unauthenticated } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { type AdDetails, findAd } from '../ads/repository.ts';
import { findUser } from '../users/repository.ts';
import { findSendRefusal, isHiddenFrom, type MessagingContext } from './messaging-policy.ts';
import {
  findConversation,
  insertMessage,
  lockMessagingContext,
  markRead,
  type Person,
  upsertConversation,
} from './repository.ts';

export interface MessageInput {
  adId: string;
  receiverId: string;
  content: string;
}

/** A message as it was written, with what it is about and who wrote to whom. */
export interface SentMessage {
  message: MessageRow;
  ad: AdDetails;
  people: [Person, Person];
}

/**
 * Writes to the other person about an ad. Both people and the ad are held while that is decided and written, so a ban or
 * deletion comes wholly before or wholly after it.
 */
export const sendMessage = (ctx: AppContext, actor: UserActor, input: MessageInput): Promise<SentMessage> =>
  inTransaction(ctx.db, async (trx) => {
    const { sender, other, ad, conversationId } = await lockMessagingContext(trx, { ...input, senderId: actor.id });
    if (sender === undefined || sender.deleted_at !== null) throw unauthenticated();
    if (sender.banned_at !== null) throw new AppError('account_banned');
    const situation: MessagingContext = { ad, other, hasBegun: conversationId !== undefined };
    if (ad === undefined || isHiddenFrom(actor, situation)) throw notFound('Ad not found');
    const refusal = findSendRefusal(actor, situation);
    if (other === undefined || refusal !== null)
      throw new AppError('messages_not_allowed', { ...(refusal !== null && { message: refusal }) });
    const message = await insertMessage(trx, {
      conversation_id:
        conversationId ?? (await upsertConversation(trx, { ad_id: ad.id, seller_id: ad.user_id, buyer_id: actor.id })),
      ad_id: ad.id,
      sender_id: actor.id,
      receiver_id: input.receiverId,
      content: input.content,
    });
    return { message, ad, people: [sender, other] };
  });

/** What the conversation page shows before anything is written. */
export const readMessagingContext = async ({ db }: AppContext, actor: UserActor, adId: string, otherId: string) => {
  const [ad, other, conversation] = await Promise.all([
    findAd(db, adId),
    findUser(db, otherId),
    findConversation(db, adId, actor.id, otherId),
  ]);
  return { ad, other, hasBegun: conversation !== undefined };
};

/** Marks a message read that the actor received; any other does not exist. */
export const markMessageRead = async ({ db }: AppContext, actor: UserActor, id: string): Promise<void> => {
  if (!(await markRead(db, id, actor.id))) throw notFound('Message not found');
};
