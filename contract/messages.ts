import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { PriceTypeName } from './prices.ts';
import { says } from './says.ts';
import { Cursor, Id, IdParams, PageQuery, Timestamp } from './scalars.ts';
import { text } from './text.ts';
import { User } from './user.ts';

/** The ad of a conversation. For a deleted ad only the id remains: title "Deleted ad", no images, `isDeleted`. */
export const MessageAd = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  price: z.string(),
  priceType: PriceTypeName,
  imageUrls: z.array(z.string()),
  thumbUrl: z.nullable(z.string()),
  /** null: the ad is deleted. */
  categorySlug: z.nullable(z.string()),
  isActive: z.boolean(),
  isPaused: z.optional(z.boolean()),
  isSold: z.boolean(),
  /** Reserved at the moment: for the signed-in user, for the other person of the conversation, or for a third. */
  reservation: z.optional(z.enum(['own', 'other', 'elsewhere'])),
  /** Only where `reservation` concerns one of the two people of the conversation. */
  reservedUntil: z.optional(Timestamp),
  isDeleted: z.boolean(),
});
export type MessageAd = z.output<typeof MessageAd>;

/** `expired`: 48 hours have passed. `void`: the ad was sold or deleted, or one of the two was blocked or shut out. */
export const OFFER_STATUSES = ['open', 'accepted', 'declined', 'countered', 'withdrawn', 'expired', 'void'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];

export const Offer = z.object({
  id: z.string(),
  /** Like the price of an ad: "1200.00". */
  amount: z.string(),
  status: z.enum(OFFER_STATUSES),
  expiresAt: Timestamp,
});
export type Offer = z.output<typeof Offer>;

/** Its address: viewMessagePhoto in message-photos.ts. */
export const MessagePhoto = z.object({ id: z.string(), width: z.number(), height: z.number() });
export type MessagePhoto = z.output<typeof MessagePhoto>;

/** A message without its ad and its people, which a conversation has once. */
export const ThreadMessage = z.object({
  id: z.string(),
  adId: z.string(),
  senderId: z.string(),
  receiverId: z.string(),
  content: z.string(),
  isRead: z.boolean(),
  createdAt: Timestamp,
  /** For the receiver only: the text contains a link, a contact or words of a common fraud (message-warnings.ts). */
  warning: z.optional(z.boolean()),
  /** The message is an offer; `content` says the amount in words. */
  offer: z.optional(Offer),
  photos: z.optional(z.array(MessagePhoto)),
  /** The sender wrote no text: `content` says in English how many photos there are, for readers that cannot show them. */
  isWordless: z.optional(z.literal(true)),
});
export type ThreadMessage = z.output<typeof ThreadMessage>;

export const Message = z.extend(ThreadMessage, { ad: MessageAd, sender: User, receiver: User });
export type Message = z.output<typeof Message>;

export const ConversationCount = z.object({
  adId: z.string(),
  otherUserId: z.string(),
  messages: z.number(),
  unread: z.number(),
});

// listInbox, listConversationCounts, getConversation and getConversationStatus serve API clients, and tabs opened before
// an upgrade. The browser uses conversations.ts.

/** The header X-Order has the ad ids, newest conversation first: JavaScript sorts the keys of an object by number. */
export const listInbox = endpoint({
  method: 'GET',
  path: '/api/messages/user',
  summary: 'The newest conversations: messages by ad id, newest first, at most 3 of each conversation',
  access: 'user',
  scope: 'messages:read',
  query: z.object({ cursor: z.optional(Cursor) }),
  reply: z.record(z.string(), z.array(Message)),
  paged: true,
  limit: 'inbox',
  headers: { 'X-Order': 'The ad ids of the reply, newest conversation first, separated by commas' },
  tags: ['inbox'],
});

export const listConversationCounts = endpoint({
  method: 'GET',
  path: '/api/messages/counts',
  summary: 'Messages and unread messages of the conversations of an inbox page',
  access: 'user',
  scope: 'messages:read',
  query: z.object({ cursor: z.optional(Cursor) }),
  reply: z.array(ConversationCount),
  tags: ['inbox'],
});

/** Oldest first. Without a cursor, the newest page; earlier pages by the Link header's rel="next". */
export const getConversation = endpoint({
  method: 'GET',
  path: '/api/messages/conversation/:adId/:otherUserId',
  summary: 'The conversation with one person about one ad',
  access: 'user',
  scope: 'messages:read',
  params: z.object({ adId: Id, otherUserId: Id }),
  query: PageQuery,
  reply: z.array(Message),
  paged: true,
  tags: ['conversation'],
});

/** Why somebody may not write to a person about an ad. Their texts are in messages/en/messages.json. */
export const SEND_REFUSALS = [
  'ad_deleted',
  'ad_not_found',
  'account_deleted',
  'account_banned',
  'self',
  'seller_writes_first',
  'not_seller',
  'no_messages',
  'blocked_by_oneself',
] as const;
export type SendRefusal = (typeof SEND_REFUSALS)[number];

export const ConversationStatus = z.object({
  canSend: z.boolean(),
  /** The signed-in user blocked the other person. */
  isBlocked: z.boolean(),
  reason: z.nullable(z.enum(SEND_REFUSALS)),
  ad: z.nullable(MessageAd),
  other: z.nullable(User),
});
export type ConversationStatus = z.output<typeof ConversationStatus>;

export const getConversationStatus = endpoint({
  method: 'GET',
  path: '/api/messages/conversation/:adId/:otherUserId/status',
  summary: 'Whether the signed-in user may write to this person about this ad',
  access: 'user',
  scope: 'messages:read',
  params: z.object({ adId: Id, otherUserId: Id }),
  reply: ConversationStatus,
  tags: ['conversation'],
});

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages',
  summary: 'Writes to the other person about an ad',
  access: 'user',
  scope: 'messages:write',
  body: z
    .object({
      adId: Id,
      receiverId: Id,
      content: z._default(text({ max: LIMITS.message, multiline: true }), ''),
      /** Of photos that the caller has uploaded for a message. */
      imageIds: z._default(
        z.array(Id).check(
          z.maxLength(LIMITS.messagePhotos, says('fields.photosMost', { max: LIMITS.messagePhotos })),
          z.refine((ids) => new Set(ids).size === ids.length, says('fields.samePhoto')),
        ),
        [],
      ),
    })
    .check(
      z.refine(({ content, imageIds }) => content !== '' || imageIds.length > 0, {
        path: ['content'],
        ...says('fields.messageRequired'),
        params: {
          json: {
            anyOf: [
              { required: ['content'], properties: { content: { pattern: '\\S' } } },
              { required: ['imageIds'], properties: { imageIds: { minItems: 1 } } },
            ],
          },
        },
      }),
    ),
  reply: Message,
  status: 201,
  limit: 'message',
  idempotent: true,
  errors: ['messages_not_allowed'],
  invalidates: ['inbox'],
});

export const markMessageRead = endpoint({
  method: 'PUT',
  path: '/api/messages/:id/read',
  summary: 'Marks one received message as read',
  access: 'user',
  scope: 'messages:write',
  params: IdParams,
  reply: z.object({ id: z.string(), isRead: z.literal(true) }),
  invalidates: ['inbox', 'unread'],
});

export const markConversationRead = endpoint({
  method: 'PUT',
  path: '/api/messages/conversation/:adId/:otherUserId/read',
  summary: 'Marks the received messages of a conversation as read, up to and including one',
  access: 'user',
  scope: 'messages:write',
  params: z.object({ adId: Id, otherUserId: Id }),
  body: z.object({ upTo: Id }),
  invalidates: ['inbox', 'unread'],
});

export const streamMessages = endpoint({
  method: 'GET',
  path: '/api/messages/stream',
  summary: 'Events about messages sent or received, unread messages and unread notifications; ends with the session',
  access: 'user',
  scope: 'messages:read',
  /** The user for whom the stream is: an EventSource cannot send the header X-User-Id. */
  query: z.object({
    userId: z.optional(z.string()),
    /** That of the browser. What is sent to the person names days and times in it. */
    timeZone: z.optional(z.string()),
  }),
  events: {
    /**
     * Sent first, and whenever delivery is interrupted or restored. While delivery is interrupted, clients should poll.
     * The events of the last `caughtUpMs` milliseconds follow: what was read before that may be outdated.
     */
    live: z.object({ isLive: z.boolean(), caughtUpMs: z.optional(z.number()) }),
    /**
     * A message that the user sent or received, and that is new or was read, or whose offer changed. The receiver of a
     * message that was read has read those before it, too.
     */
    message: ThreadMessage,
    /** Something else in a conversation of the user changed: a reservation or a sale. */
    conversation: z.object({ adId: z.string(), otherUserId: z.string() }),
    unread: z.object({ unreadCount: z.number() }),
    /** The unread notifications, which are not messages. */
    notifications: z.object({ unreadCount: z.number() }),
    beat: z.object({}),
  },
  limit: 'stream',
});

export const getUnreadCount = endpoint({
  method: 'GET',
  path: '/api/messages/unread-count',
  summary: 'How many received messages are unread',
  access: 'user',
  scope: 'messages:read',
  reply: z.object({ unreadCount: z.number() }),
  tags: ['unread'],
});
