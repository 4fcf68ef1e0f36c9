import type { Message } from '../../../../contract/messages.ts';
import type { Inbox } from './fetch-inbox.ts';

type Counts = Inbox['counts'];

export interface InboxConversation {
  ad: Message['ad'];
  other: Message['sender'];
  latest: Message;
  messages: number;
  unread: number;
}

/** The answer's messages by ad, newest first, as one conversation per ad and other person, the latest on top. */
export const groupInbox = (byAd: Record<string, Message[]>, counts: Counts, meId: string): InboxConversation[] => {
  const groups = Object.values(byAd).flatMap((messages) =>
    [...Map.groupBy(messages, (message) => otherOf(message, meId).id).values()].map((group) =>
      toConversation(group, meId),
    ),
  );
  const countOf = new Map(counts.map((count) => [`${count.adId}-${count.otherUserId}`, count]));
  return groups
    .map((group) => ({ ...group, ...countsIn(countOf.get(`${group.ad.id}-${group.other.id}`)) }))
    .sort((a, b) => (BigInt(a.latest.id) > BigInt(b.latest.id) ? -1 : 1));
};

const otherOf = (message: Message, meId: string) => (message.senderId === meId ? message.receiver : message.sender);

const toConversation = (messages: Message[], meId: string): InboxConversation => {
  const latest = messages[0]!;
  return {
    ad: latest.ad,
    other: otherOf(latest, meId),
    latest,
    messages: messages.length,
    unread: messages.filter((message) => message.receiverId === meId && !message.isRead).length,
  };
};

// The server counts whole conversations; an answer holds their newest messages only.
const countsIn = (count: Counts[number] | undefined) =>
  count ? { messages: count.messages, unread: count.unread } : {};
