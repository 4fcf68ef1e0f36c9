import { useRef, useState } from 'react';
import useSWR from 'swr';
import { listConversationCounts, listInbox, type Message } from '../../../../contract/messages.ts';
import type { ApiError } from '../../api/client.ts';
import { useLivePoll } from '../../api/events.ts';
import { fetchForQuery, useQueryCache } from '../../api/query.ts';

const POLL_MS = 30_000;

export interface InboxConversation {
  ad: Message['ad'];
  other: Message['sender'];
  latest: Message;
  messages: number;
  unread: number;
}

/** Conversations with the newest message first, and where the rest begins. */
export interface Inbox {
  conversations: InboxConversation[];
  next: string | null;
}

/** The cache's key for the inbox, which two endpoints make up. */
export const INBOX_KEY = 'inbox';

/** The conversations of the signed-in user: as many pages as were asked for, all of them refreshed by polls. */
export const useInbox = (meId: string) => {
  useQueryCache().tags.set(INBOX_KEY, listInbox.tags);
  // Of several requests at once the last one counts: it asks for as many conversations as any before it.
  const wantedRef = useRef(0);
  const latestRef = useRef<Promise<Inbox>>(undefined);
  const fetchWanted = () => {
    latestRef.current = fetchInbox(meId, wantedRef.current);
    return latestRef.current;
  };
  const { data, error, mutate } = useSWR<Inbox, ApiError>(INBOX_KEY, fetchWanted, { revalidateIfStale: true });
  const shown = data?.conversations.length ?? 0;
  wantedRef.current = Math.max(wantedRef.current, shown);
  const [isLoadingMore, setLoadingMore] = useState(false);

  /** Returns the number of conversations. Throws where the request failed, which `mutate` does not tell. */
  const refresh = async (): Promise<number> => {
    await mutate();
    return (await latestRef.current)?.conversations.length ?? 0;
  };
  /** A conversation with a new message is on the first page; the others are as they were. */
  const refreshFirstPage = async (): Promise<void> => {
    const first = await fetchInboxPage(meId);
    await mutate((loaded) => (loaded ? mergeInbox(first, loaded) : first), { revalidate: false });
  };
  useLivePoll(refresh, POLL_MS, refreshFirstPage);

  const loadMore = async (): Promise<number> => {
    if (isLoadingMore) return 0;
    setLoadingMore(true);
    wantedRef.current = shown + 1;
    try {
      return (await refresh()) - shown;
    } catch (cause) {
      wantedRef.current = shown;
      throw cause;
    } finally {
      setLoadingMore(false);
    }
  };

  return {
    conversations: data?.conversations,
    error: data ? undefined : error,
    list: { hasMore: Boolean(data?.next), isLoadingMore, loadMore },
    retry: () => void mutate(),
  };
};

/** Page after page, each from where the one before it ends now: a new conversation moves others to the next page. */
const fetchInbox = async (meId: string, atLeast: number): Promise<Inbox> => {
  let inbox = await fetchInboxPage(meId);
  while (inbox.next && inbox.conversations.length < atLeast) {
    const more = await fetchInboxPage(meId, new URLSearchParams(inbox.next.split('?')[1]).get('cursor') ?? undefined);
    inbox = { ...mergeInbox(inbox, more), next: more.next };
  }
  return inbox;
};

const fetchInboxPage = async (meId: string, cursor?: string): Promise<Inbox> => {
  const target = { query: { cursor } };
  const [{ items, next }, counts] = await Promise.all([
    fetchForQuery(listInbox, target),
    fetchForQuery(listConversationCounts, target),
  ]);
  const conversations = Object.values(items).flatMap((messages) =>
    [...Map.groupBy(messages, (message) => getOther(message, meId).id).values()].map((group) =>
      toConversation(group, meId),
    ),
  );
  // The server counts whole conversations; the page holds their newest messages only.
  const byKey = new Map(counts.map((count) => [`${count.adId}-${count.otherUserId}`, count]));
  const counted = conversations.map((conversation) => {
    const { messages, unread } = byKey.get(getConversationKey(conversation)) ?? conversation;
    return { ...conversation, messages, unread };
  });
  return { conversations: sortByLatest(counted), next };
};

export const getConversationKey = ({ ad, other }: InboxConversation): string => `${ad.id}-${other.id}`;

const getOther = (message: Message, meId: string) => (message.senderId === meId ? message.receiver : message.sender);

/** A conversation from its messages, the newest first. */
const toConversation = (messages: Message[], meId: string): InboxConversation => {
  const latest = messages[0]!;
  return {
    ad: latest.ad,
    other: getOther(latest, meId),
    latest,
    messages: messages.length,
    unread: messages.filter((message) => message.receiverId === meId && !message.isRead).length,
  };
};

/** Both pages; a conversation on both is as `newer` has it. The rest begins where `older` ends. */
const mergeInbox = (newer: Inbox, older: Inbox): Inbox => {
  const byKey = new Map([...older.conversations, ...newer.conversations].map((one) => [getConversationKey(one), one]));
  return { conversations: sortByLatest([...byKey.values()]), next: older.next };
};

const sortByLatest = (conversations: InboxConversation[]): InboxConversation[] =>
  conversations.sort((a, b) => (BigInt(a.latest.id) > BigInt(b.latest.id) ? -1 : 1));
