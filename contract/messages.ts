import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { Cursor, Id, PageSize, Timestamp } from './scalars.ts';
import { text } from './text.ts';
import { User } from './user.ts';

/** The ad of a conversation. A deleted ad keeps its id alone: title "Deleted ad", no picture, `isDeleted`. */
export const MessageAd = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  price: z.string(),
  imageUrls: z.array(z.string()),
  thumbUrl: z.nullable(z.string()),
  isActive: z.boolean(),
  isSold: z.boolean(),
  isDeleted: z.boolean(),
});

export const Message = z.object({
  id: z.string(),
  adId: z.string(),
  senderId: z.string(),
  receiverId: z.string(),
  content: z.string(),
  isRead: z.boolean(),
  createdAt: Timestamp,
  ad: MessageAd,
  sender: User,
  receiver: User,
});
export type Message = z.output<typeof Message>;

/** Counts over a whole conversation, which the newest messages alone do not tell. */
export const ConversationCount = z.object({
  adId: z.string(),
  otherUserId: z.string(),
  messages: z.number(),
  unread: z.number(),
});

export const listInbox = endpoint({
  method: 'GET',
  path: '/api/messages/user',
  summary: 'The newest conversations: messages by ad id, newest first, at most 20 of each conversation',
  access: 'user',
  query: z.object({ cursor: z.optional(Cursor) }),
  reply: z.record(z.string(), z.array(Message)),
  paged: true,
  limit: 'read',
  tags: ['inbox'],
});

export const listConversationCounts = endpoint({
  method: 'GET',
  path: '/api/messages/counts',
  summary: 'Messages and unread messages of the conversations of an inbox page',
  access: 'user',
  query: z.object({ cursor: z.optional(Cursor) }),
  reply: z.array(ConversationCount),
  limit: 'read',
  tags: ['inbox'],
});

/** Oldest first; the newest page without a cursor, earlier ones by the Link header's rel="next". */
export const getConversation = endpoint({
  method: 'GET',
  path: '/api/messages/conversation/:adId/:otherUserId',
  summary: 'The conversation with one person about one ad',
  access: 'user',
  params: z.object({ adId: Id, otherUserId: Id }),
  query: z.object({ cursor: z.optional(Cursor), limit: PageSize }),
  reply: z.array(Message),
  paged: true,
  limit: 'read',
  tags: ['conversation'],
});

export const ConversationStatus = z.object({
  /** The composer is offered. */
  canSend: z.boolean(),
  /** Why not, for a person to read. */
  reason: z.nullable(z.string()),
  ad: z.nullable(MessageAd),
  other: z.nullable(User),
});
export type ConversationStatus = z.output<typeof ConversationStatus>;

export const getConversationStatus = endpoint({
  method: 'GET',
  path: '/api/messages/conversation/:adId/:otherUserId/status',
  summary: 'Whether the signed-in user may write to this person about this ad',
  access: 'user',
  params: z.object({ adId: Id, otherUserId: Id }),
  reply: ConversationStatus,
  limit: 'read',
  tags: ['conversation'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages',
  summary: 'Writes to the other person about an ad',
  access: 'user',
  body: z.object({
    adId: Id,
    receiverId: Id,
    content: text({ max: LIMITS.message, required: 'Message is required', multiline: true }),
  }),
  reply: Message,
  status: 201,
  limit: 'message',
  idempotent: true,
  errors: ['messages_not_allowed', 'not_found'],
  invalidates: ['inbox'],
});

export const markMessageRead = endpoint({
  method: 'PUT',
  path: '/api/messages/:id/read',
  summary: 'Marks one received message as read',
  access: 'user',
  params: z.object({ id: Id }),
  reply: z.object({ id: z.string(), isRead: z.literal(true) }),
  limit: 'write',
  errors: ['not_found'],
  invalidates: ['inbox', 'unread'],
});

/** A message that the person sent or received; what it says is fetched. */
export const MessageEventData = z.object({
  id: z.string(),
  adId: z.string(),
  senderId: z.string(),
  receiverId: z.string(),
});
export type MessageEventData = z.output<typeof MessageEventData>;

export const streamMessages = endpoint({
  method: 'GET',
  path: '/api/messages/stream',
  summary: 'Tells at once of messages sent or received, and of the unread count; ends with the session',
  access: 'user',
  events: {
    /** The first event: whether later ones come at once. While they do not, and when they do again, ask for what you show. */
    live: z.object({ isLive: z.boolean() }),
    message: MessageEventData,
    unread: z.object({ unreadCount: z.number() }),
    /** Nothing new; every LIMITS.streamBeatSeconds. A stream that is silent for longer is broken. */
    beat: z.object({}),
  },
  limit: 'stream',
  errors: ['rate_limited', 'overloaded', 'shutting_down'],
});

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/api/messages/unread-count',
  summary: 'How many received messages are unread',
  access: 'user',
  reply: z.object({ unreadCount: z.number() }),
  limit: 'read',
  tags: ['unread'],
});
