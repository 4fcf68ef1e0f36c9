import type { AppContext } from '../../app-context.ts';
import { publish } from '../../db/events.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import type { MessageRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError, invalid, messagesNotAllowed, notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import type { AdDetails } from '../ads/repository.ts';
import { readBlocksBetween } from '../blocks/repository.ts';
import { checkNewMessage } from '../gates/gates.ts';
import { hashText } from '../gates/rules.ts';
import { checkActive } from '../users/active-actor.ts';
import { insertWebhookEvents } from '../webhooks/events-repository.ts';
import { findSendRefusal, isHiddenFrom, type MessagingContext } from './messaging-policy.ts';
import { listPhotosOfMessages, type MessagePhotoRow, putIntoMessage } from './photos-repository.ts';
import { endReminder } from './reminders.ts';
import {
  findConversation,
  insertMessage,
  lockMessagingContext,
  markRead,
  markReadUpTo,
  type Person,
  upsertConversation,
} from './repository.ts';

interface MessageInput {
  adId: string;
  receiverId: string;
  /** Empty if there are photos alone. */
  content: string;
  /** Photos of messages that the actor has uploaded. */
  imageIds?: readonly string[];
}

interface SentMessage {
  message: MessageRow;
  ad: AdDetails;
  people: [Person, Person];
  photos: MessagePhotoRow[];
}

/** What a message says that has photos alone. */
const toPhotosText = (count: number): string => (count === 1 ? 'Sent 1 photo' : `Sent ${count} photos`);

const NO_BLOCKS = { byOneself: false, byOther: false };

/**
 * Sends a message to another user about an ad. Locks both users and the ad, so a ban or deletion happens entirely
 * before or after it. @throws {AppError} not_found, messages_not_allowed (the message is the refusal), account_banned,
 * account_suspended, forbidden and rate_limited (limits against spam), validation_failed (a photo that is not the actor's)
 */
export const sendMessage = (ctx: AppContext, actor: UserActor, input: MessageInput): Promise<SentMessage> =>
  inTransaction(ctx.db, async (trx) => {
    const { sender, other, ad, conversationId } = await lockMessagingContext(trx, { ...input, senderId: actor.id });
    checkActive(sender, getNow(trx));
    // blocks are read only if the insert below finds one
    const context: MessagingContext = { ad, other, hasBegun: conversationId !== undefined, blocks: NO_BLOCKS };
    if (ad === undefined || isHiddenFrom(actor, context)) throw notFound('errors.adNotFound');
    const refusal = findSendRefusal(actor, context, getNow(trx));
    if (refusal !== null) throw messagesNotAllowed(refusal);
    if (other === undefined) throw new AppError('messages_not_allowed');
    const { imageIds = [] } = input;
    const textHash = input.content === '' ? null : hashText(input.content);
    await checkNewMessage(trx, actor, sender, { ...input, textHash, isFirst: !context.hasBegun });
    const message = await insertMessage(trx, {
      conversation_id:
        conversationId ?? (await upsertConversation(trx, { ad_id: ad.id, seller_id: ad.user_id, buyer_id: actor.id })),
      ad_id: ad.id,
      sender_id: actor.id,
      receiver_id: input.receiverId,
      content: input.content || toPhotosText(imageIds.length),
      text_hash: textHash,
    });
    if (message === undefined) {
      const blocks = await readBlocksBetween(trx, actor.id, input.receiverId);
      throw messagesNotAllowed(findSendRefusal(actor, { ...context, blocks }, getNow(trx)) ?? 'no_messages');
    }
    const { id, receiver_id: receiverId } = message;
    const photos = imageIds.length > 0 ? await sendPhotos(trx, { userId: actor.id, messageId: id, ids: imageIds }) : [];
    await publish(trx, 'messages', { receiverId, senderId: actor.id, adId: ad.id, id });
    const told = { messageId: id, adId: ad.id, personId: actor.id };
    if (message.has_webhooks)
      await insertWebhookEvents(trx, [{ type: 'message.received', userId: receiverId, data: told }]);
    return { message, ad, people: [sender, other], photos };
  });

const sendPhotos = async (trx: Trx, photo: Parameters<typeof putIntoMessage>[1]): Promise<MessagePhotoRow[]> => {
  if ((await putIntoMessage(trx, photo)) < photo.ids.length) throw invalid({ imageIds: 'errors.photoGone' });
  return listPhotosOfMessages(trx, [photo.messageId]);
};

/**
 * Marks what the actor received in a conversation as read, up to and including the message `upTo`. A repetition changes
 * nothing. @throws {AppError} not_found
 */
export const markConversationRead = (
  { db }: AppContext,
  actor: UserActor,
  { adId, otherUserId, upTo }: { adId: string; otherUserId: string; upTo: string },
): Promise<void> =>
  inTransaction(db, async (trx) => {
    const conversation = await findConversation(trx, adId, actor.id, otherUserId);
    if (conversation === undefined) throw notFound('errors.conversationNotFound');
    const key = { conversationId: conversation.id, receiverId: actor.id };
    const newest = await markReadUpTo(trx, { ...key, upTo });
    if (newest === null) return;
    await Promise.all([
      publish(trx, 'messages', { receiverId: actor.id, senderId: otherUserId, adId, id: newest }),
      endReminder(trx, key, { adId, senderId: otherUserId }),
    ]);
  });

/**
 * Marks a received message as read, and with the last one of its conversation also the notification of it. Repeating it
 * changes nothing. @throws {AppError} not_found, also for other users'
 * messages
 */
export const markMessageRead = ({ db }: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    const message = await markRead(trx, id, actor.id);
    if (message === undefined) throw notFound('errors.messageNotFound');
    if (message.was_read) return;
    const { conversation_id: conversationId, ad_id: adId, sender_id: senderId } = message;
    await Promise.all([
      publish(trx, 'messages', { receiverId: actor.id, senderId, adId, id }),
      endReminder(trx, { conversationId, receiverId: actor.id }, { adId, senderId }),
    ]);
  });
