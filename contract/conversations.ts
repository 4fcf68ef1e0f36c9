import * as z from 'zod/mini';
import { Deal } from './deals.ts';
import { endpoint } from './endpoint.ts';
import { MessageAd, SEND_REFUSALS, ThreadMessage } from './messages.ts';
import { Cursor, Id, PageQuery } from './scalars.ts';
import { User } from './user.ts';

/** A line of the inbox. Its ad and the other person are beside the lines, each once. */
export const InboxLine = z.object({
  adId: z.string(),
  otherUserId: z.string(),
  /** The newest message, its text cut to LIMITS.inboxText characters in one line. */
  latest: z.pick(ThreadMessage, {
    id: true,
    senderId: true,
    content: true,
    createdAt: true,
    offer: true,
    photos: true,
    isWordless: true,
  }),
  messages: z.number(),
  unread: z.number(),
});
export type InboxLine = z.output<typeof InboxLine>;

export const InboxPage = z.object({
  lines: z.array(InboxLine),
  ads: z.array(z.pick(MessageAd, { id: true, title: true, thumbUrl: true, categorySlug: true, isDeleted: true })),
  people: z.array(z.pick(User, { id: true, username: true, displayName: true, avatar: true, isDeleted: true })),
});
export type InboxPage = z.output<typeof InboxPage>;

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'The inbox: one line for each conversation, the one with the newest message first',
  access: 'user',
  scope: 'messages:read',
  query: z.object({ cursor: z.optional(Cursor) }),
  reply: InboxPage,
  paged: true,
  tags: ['inbox'],
});

/**
 * What a person can do in a conversation. `accept`, `counter`, `decline` and `withdraw` concern its open offer. `sell`:
 * mark the ad as sold to the other person, for whom it is reserved.
 */
export const CONVERSATION_ACTIONS = [
  'send',
  'offer',
  'accept',
  'counter',
  'decline',
  'withdraw',
  'reserve',
  'release',
  'sell',
] as const;
export type ConversationAction = (typeof CONVERSATION_ACTIONS)[number];

export const Conversation = z.object({
  /** null: it does not exist, or the signed-in user must not learn of it. */
  ad: z.nullable(MessageAd),
  other: z.nullable(User),
  /** The newest sale of the ad between the two. */
  deal: z.nullable(z.omit(Deal, { ad: true, other: true })),
  /** Of the offer that the two agreed on, while the ad is reserved for or sold to its buyer. Like a price: "220.00". */
  agreedPrice: z.nullable(z.string()),
  /** The signed-in user blocked the other person. */
  isBlocked: z.boolean(),
  /** What the signed-in user may do now. */
  actions: z.array(z.enum(CONVERSATION_ACTIONS)),
  /** Why they may not `send`. */
  reason: z.nullable(z.enum(SEND_REFUSALS)),
  /** Oldest first. Without a cursor, the newest page. */
  messages: z.array(ThreadMessage),
});
export type Conversation = z.output<typeof Conversation>;

/** Earlier messages by the Link header's rel="next". */
export const viewConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:adId/:otherUserId',
  summary: 'The conversation with one person about one ad: messages, the state of the sale, and what one may do',
  access: 'user',
  scope: 'messages:read',
  params: z.object({ adId: Id, otherUserId: Id }),
  query: PageQuery,
  reply: Conversation,
  paged: true,
  tags: ['conversation'],
});
