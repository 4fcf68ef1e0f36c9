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

/** Conversations ordered by newest message, and the cursor of the next page. */
export interface Inbox {
  conversations: InboxConversation[];
  next: string | null;
}

/** The cache key of the inbox, which combines two endpoints. */
export const INBOX_KEY = 'inbox';

/** The user's conversations. Polls refresh all loaded pages. */
export const useInbox = (meId: string) => {
  useQueryCache().tags.set(INBOX_KEY, listInbox.tags);
  // The latest of several concurrent requests wins: it asks for at least as many conversations as the earlier ones.
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

  /** Returns the number of conversations. Throws if the request failed, which `mutate` does not report. */
  const refresh = async (): Promise<number> => {
    await mutate();
    return (await latestRef.current)?.conversations.length ?? 0;
  };
  /** A conversation with a new message is on the first page, and the others have not changed. */
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

/**
 * Fetches the pages one after another, each from the current end of the previous one: a new conversation shifts others
 * to the next page.
 */
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
  // The server counts whole conversations. The page contains only their newest messages.
  const byKey = new Map(counts.map((count) => [`${count.adId}-${count.otherUserId}`, count]));
  const counted = conversations.map((conversation) => {
    const { messages, unread } = byKey.get(getConversationKey(conversation)) ?? conversation;
    return { ...conversation, messages, unread };
  });
  return { conversations: sortByLatest(counted), next };
};

export const getConversationKey = ({ ad, other }: InboxConversation): string => `${ad.id}-${other.id}`;

const getOther = (message: Message, meId: string) => (message.senderId === meId ? message.receiver : message.sender);

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

/** Merges two pages. A conversation on both comes from `newer`; the cursor comes from `older`. */
const mergeInbox = (newer: Inbox, older: Inbox): Inbox => {
  const byKey = new Map([...older.conversations, ...newer.conversations].map((one) => [getConversationKey(one), one]));
  return { conversations: sortByLatest([...byKey.values()]), next: older.next };
};

const sortByLatest = (conversations: InboxConversation[]): InboxConversation[] =>
  conversations.sort((a, b) => (BigInt(a.latest.id) > BigInt(b.latest.id) ? -1 : 1));
