import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/messages.ts';
import { type Message, SEND_REFUSALS } from '../../../contract/messages.ts';
import type { AppContext } from '../../app-context.ts';
import type { ConversationRow, MessageRow } from '../../db/rows.ts';
import { route } from '../../http/endpoints/define.ts';
import { type Actor, maySeeProfile, type UserActor } from '../../policy.ts';
import { type AdDetails, listAdsByIds } from '../ads/repository.ts';
import { type PublicUserRow, presentUser } from '../users/presenter.ts';
import { listUsersByIds } from '../users/repository.ts';
import { findSendRefusal, isHiddenFrom } from './messaging-policy.ts';
import { type MessageContext, presentMessage, presentMessageAd } from './presenter.ts';
import {
  countUnread,
  countUnreadByConversation,
  findConversation,
  listConversations,
  listMessages,
  listNewestMessages,
} from './repository.ts';
import { markMessageRead, readMessagingContext, sendMessage } from './service.ts';

const toContext = (
  { config }: AppContext,
  ads: readonly AdDetails[],
  users: readonly PublicUserRow[],
): MessageContext => ({
  ownHost: new URL(config.publicUrl).hostname,
  ads: new Map(ads.map((ad) => [ad.id, ad])),
  users: new Map(users.map((user) => [user.id, user])),
});

const presentAll = async (ctx: AppContext, rows: readonly MessageRow[], actor: Actor): Promise<Message[]> => {
  const [ads, users] = await Promise.all([
    listAdsByIds(ctx.db, [...new Set(rows.map((row) => row.ad_id))]),
    listUsersByIds(
      ctx.db,
      rows.flatMap((row) => [row.sender_id, row.receiver_id]),
    ),
  ]);
  const context = toContext(ctx, ads, users);
  return rows.map((row) => presentMessage(row, context, actor));
};

const otherIn = (row: ConversationRow, { id }: UserActor): string =>
  row.seller_id === id ? row.buyer_id : row.seller_id;

export const messageRoutes = [
  route(api.listInbox, async ({ ctx, actor, query, reply }) => {
    const page = await listConversations(ctx.db, actor.id, query.cursor);
    const rows = await listNewestMessages(
      ctx.db,
      page.rows.map((row) => row.id),
    );
    reply.page({ nextCursor: page.nextCursor });
    return Object.groupBy(await presentAll(ctx, rows, actor), (message) => message.adId) as Record<string, Message[]>;
  }),

  route(api.listConversationCounts, async ({ ctx, actor, query }) => {
    const { rows } = await listConversations(ctx.db, actor.id, query.cursor);
    const unread = await countUnreadByConversation(
      ctx.db,
      actor.id,
      rows.map((row) => row.id),
    );
    return rows.map((row) => ({
      adId: row.ad_id,
      otherUserId: otherIn(row, actor),
      messages: row.message_count,
      unread: unread.get(row.id) ?? 0,
    }));
  }),

  route(api.getConversation, async ({ ctx, actor, params, query, reply }) => {
    const conversation = await findConversation(ctx.db, params.adId, actor.id, params.otherUserId);
    if (conversation === undefined) return [];
    const limit = query.limit ?? LIMITS.pageSizeMax;
    const page = await listMessages(ctx.db, conversation.id, { cursor: query.cursor, limit });
    reply.page({ nextCursor: page.nextCursor });
    return presentAll(ctx, page.rows, actor);
  }),

  route(api.getConversationStatus, async ({ ctx, actor, params }) => {
    const context = await readMessagingContext(ctx, actor, params.adId, params.otherUserId);
    const { ad, other, hasBegun } = context;
    const refusal = findSendRefusal(actor, context);
    const showsAd = ad !== undefined && (hasBegun || !isHiddenFrom(actor, context));
    return {
      canSend: refusal === null,
      isBlocked: context.blocks.byOneself,
      reason: refusal && SEND_REFUSALS[refusal],
      ad: showsAd ? presentMessageAd(ad, actor) : null,
      other: other !== undefined && (hasBegun || maySeeProfile(actor, other)) ? presentUser(other) : null,
    };
  }),

  route(api.sendMessage, ({ actor, body, once }) =>
    once(async (ctx) => {
      const { message, ad, people } = await sendMessage(ctx, actor, body);
      return presentMessage(message, toContext(ctx, [ad], people), actor);
    }),
  ),

  route(api.markMessageRead, async ({ ctx, actor, params }) => {
    await markMessageRead(ctx, actor, params.id);
    return { id: params.id, isRead: true as const };
  }),

  route(api.streamMessages, ({ ctx, actor, stream }) => {
    stream.onClose(ctx.messageBroker.subscribe(actor.id, stream.send));
  }),

  route(api.getUnreadCount, async ({ ctx, actor }) => ({ unreadCount: await countUnread(ctx.db, actor.id) })),
];
