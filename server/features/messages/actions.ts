import type { App } from '../../app.ts';
import type { MessageRow } from '../../db/tables.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, notFound, unauthenticated } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { findAd, holdAd } from '../ads/store.ts';
import { findUser, holdUsers } from '../users/store.ts';
import { isHiddenFrom, type Situation, whyNotSend } from './may-send.ts';
import { findConversation, insertMessage, markRead, openConversation } from './store.ts';

export interface MessageInput {
  adId: string;
  receiverId: string;
  content: string;
}

/**
 * Writes to the other person about an ad. Both people and the ad are held while that is decided and written, so a ban or
 * deletion comes wholly before or wholly after it.
 */
export const sendMessage = (app: App, actor: UserActor, input: MessageInput): Promise<MessageRow> =>
  inTransaction(app.db, async (trx) => {
    const people = await holdUsers(trx, [actor.id, input.receiverId]);
    const sender = people.find((user) => user.id === actor.id);
    if (sender === undefined || sender.deleted_at !== null) throw unauthenticated();
    if (sender.banned_at !== null) throw new AppError('account_banned');
    const ad = await holdAd(trx, input.adId);
    const conversation = await findConversation(trx, input.adId, actor.id, input.receiverId);
    const other = people.find((user) => user.id === input.receiverId);
    const situation: Situation = { ad, other, hasBegun: conversation !== undefined };
    if (ad === undefined || isHiddenFrom(actor, situation)) throw notFound('Ad not found');
    const refusal = whyNotSend(actor, situation);
    if (refusal !== null) throw new AppError('messages_not_allowed', { message: refusal });
    const conversationId =
      conversation?.id ?? (await openConversation(trx, { ad_id: ad.id, seller_id: ad.user_id, buyer_id: actor.id }));
    return insertMessage(trx, {
      conversation_id: conversationId,
      ad_id: ad.id,
      sender_id: actor.id,
      receiver_id: input.receiverId,
      content: input.content,
    });
  });

/** What the conversation page shows before anything is written. */
export const readSituation = async ({ db }: App, actor: UserActor, adId: string, otherId: string) => {
  const [ad, other, conversation] = await Promise.all([
    findAd(db, adId),
    findUser(db, otherId),
    findConversation(db, adId, actor.id, otherId),
  ]);
  return { ad, other, hasBegun: conversation !== undefined };
};

/** Marks a message read that the actor received; any other does not exist. */
export const markMessageRead = async ({ db }: App, actor: UserActor, id: string): Promise<void> => {
  if (!(await markRead(db, id, actor.id))) throw notFound('Message not found');
};
