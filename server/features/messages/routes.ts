import { LIMITS } from '../../../contract/limits.ts';
import * as photoApi from '../../../contract/message-photos.ts';
import type { Message } from '../../../contract/messages.ts';
import * as api from '../../../contract/messages.ts';
import type { ConversationRow } from '../../db/rows.ts';
import { route } from '../../endpoints/define.ts';
import { maySeeProfile, type UserActor } from '../../policy.ts';
import { presentUser } from '../users/presenter.ts';
import { rememberTimeZone } from '../users/time-zone.ts';
import { getMessageBroker } from './broker.ts';
import { readMessagingContext } from './messaging-context.ts';
import { findSendRefusal, isHiddenFrom } from './messaging-policy.ts';
import { readMessagePhoto, uploadMessagePhoto } from './photos.ts';
import { presentMessage, presentMessageAd, toMessageContext } from './presenter.ts';
import { readMessages } from './read-messages.ts';
import {
  countUnread,
  countUnreadByConversation,
  findConversation,
  listConversations,
  listMessages,
  listNewestMessages,
} from './repository.ts';
import { markConversationRead, markMessageRead, sendMessage } from './service.ts';

const otherIn = (row: ConversationRow, { id }: UserActor): string =>
  row.seller_id === id ? row.buyer_id : row.seller_id;

export const messageRoutes = [
  route(api.listInbox, async ({ ctx, actor, query, reply }) => {
    const page = await listConversations(ctx.db, actor.id, query.cursor);
    const rows = await listNewestMessages(
      ctx.db,
      page.rows.map((row) => row.id),
    );
    reply.page(page);
    reply.header('X-Order', [...new Set(page.rows.map(({ ad_id }) => ad_id))].join(','));
    return Object.groupBy(await readMessages(ctx, rows, actor), (message) => message.adId) as Record<string, Message[]>;
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
    const page = await listMessages(ctx.db, conversation.id, { ...query, limit: query.limit ?? LIMITS.pageSizeMax });
    reply.page(page);
    return readMessages(ctx, page.rows, actor);
  }),

  route(api.getConversationStatus, async ({ ctx, actor, params }) => {
    const context = await readMessagingContext(ctx, actor, params);
    const { ad, other, hasBegun } = context;
    const now = ctx.clock.now();
    const refusal = findSendRefusal(actor, context, now);
    const showsAd = ad !== undefined && (hasBegun || !isHiddenFrom(actor, context));
    return {
      canSend: refusal === null,
      isBlocked: context.blocks.byOneself,
      reason: refusal,
      ad: showsAd ? presentMessageAd(ad, actor, params.otherUserId) : null,
      other: other !== undefined && (hasBegun || maySeeProfile(actor, other, now)) ? presentUser(other) : null,
    };
  }),

  route(api.sendMessage, ({ actor, body, once }) =>
    once(async (ctx) => {
      const { message, ad, people, photos } = await sendMessage(ctx, actor, body);
      return presentMessage(message, toMessageContext(ctx.config, { ads: [ad], users: people, photos }), actor);
    }),
  ),

  route(photoApi.uploadMessagePhoto, ({ ctx, actor, readFile }) => uploadMessagePhoto(ctx, actor, readFile)),
  route(photoApi.viewMessagePhoto, ({ ctx, actor, params, reply }) => {
    reply.header('ETag', `"${params.id}-${params.size}"`);
    return readMessagePhoto(ctx, actor, params);
  }),
  route(api.markMessageRead, async ({ ctx, actor, params }) => {
    await markMessageRead(ctx, actor, params.id);
    return { id: params.id, isRead: true as const };
  }),

  route(api.markConversationRead, async ({ ctx, actor, params, body }) => {
    await markConversationRead(ctx, actor, { ...params, ...body });
  }),

  route(api.streamMessages, async ({ ctx, actor, query, stream }) => {
    stream.onClose(getMessageBroker(ctx).subscribe(actor.id, stream.send));
    await rememberTimeZone(ctx, actor, query.timeZone);
  }),

  route(api.getUnreadCount, async ({ ctx, actor }) => ({ unreadCount: await countUnread(ctx.db, actor.id) })),
];
