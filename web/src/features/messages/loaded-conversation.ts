import { type Conversation, viewConversation } from '../../../../contract/conversations.ts';
import { type Paged, toUrl } from '../../../../contract/initial-state.ts';
import type { ThreadMessage } from '../../../../contract/messages.ts';

export interface ConversationKey {
  adId: string;
  otherUserId: string;
}

/** All loaded pages of a conversation as one: its messages, oldest first, and its newest head. */
export type LoadedConversation = Paged<Conversation>;

export const getConversationUrl = ({ adId, otherUserId }: ConversationKey): string =>
  toUrl(viewConversation, { params: { adId, otherUserId } });

export const isNewer = (a: string, b: string): boolean => BigInt(a) > BigInt(b);

const mergeMessages = (loaded: readonly ThreadMessage[], newer: readonly ThreadMessage[]): ThreadMessage[] => {
  const byId = new Map([...loaded, ...newer].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
};

/** Merges messages by id, which increases with time. The head and a message in both come from `newer`. */
export const mergeConversation = (
  loaded: LoadedConversation | undefined,
  newer: LoadedConversation,
): LoadedConversation => {
  if (!loaded) return newer;
  const messages = mergeMessages(loaded.items.messages, newer.items.messages);
  // The next page starts before the oldest message.
  const isLoadedOldest = messages[0] !== undefined && loaded.items.messages[0] === messages[0];
  return { ...newer, items: { ...newer.items, messages }, next: isLoadedOldest ? loaded.next : newer.next };
};

/** Adds or replaces one message. Returns the same object if it is there as it is. */
export const addMessage = (loaded: LoadedConversation, message: ThreadMessage): LoadedConversation => {
  const { messages } = loaded.items;
  const known = messages.find(({ id }) => id === message.id);
  const isSame = known && known.offer?.status === message.offer?.status;
  if (isSame && (known.isRead || !message.isRead)) return loaded;
  // Whoever reads a message has read those of its sender before it.
  const rest = message.isRead ? messages.map((other) => markReadWith(other, message)) : messages;
  return { ...loaded, items: { ...loaded.items, messages: mergeMessages(rest, [message]) } };
};

const markReadWith = (other: ThreadMessage, { id, senderId }: ThreadMessage): ThreadMessage =>
  other.isRead || other.senderId !== senderId || isNewer(other.id, id) ? other : { ...other, isRead: true };
