import { useMemo, useRef, useState } from 'react';
import useSWR from 'swr';
import type * as z from 'zod/mini';
import {
  type ConversationCount,
  listConversationCounts,
  listInbox,
  type Message,
} from '../../../../contract/messages.ts';
import type { ApiError } from '../../api/client.ts';
import { fetchForQuery } from '../../api/query.ts';
import { useLivePoll } from './live/live-events.ts';

const EVERY_MS = 30_000;

/** The conversations of the signed-in user, as many as were asked for, all of them kept fresh. */
export const useInbox = (meId: string) => {
  // Of several fetches at once the last one counts: it asks for as many conversations as any before it.
  const wanted = useRef(0);
  const latest = useRef<Promise<Inbox>>(undefined);
  const fetchWanted = () => {
    latest.current = fetchInbox(wanted.current);
    return latest.current;
  };
  const { data, error, mutate } = useSWR<Inbox, ApiError>(INBOX_KEY, fetchWanted, { revalidateIfStale: true });
  const shown = data?.counts.length ?? 0;
  wanted.current = Math.max(wanted.current, shown);
  const [isLoadingMore, setLoadingMore] = useState(false);

  /** Answers how many there are now; fails where fetching them did, which the cache alone would not tell. */
  const refresh = async (): Promise<number> => {
    await mutate();
    return (await latest.current)?.counts.length ?? 0;
  };
  useLivePoll(refresh, EVERY_MS, () => true);

  const loadMore = async (): Promise<number> => {
    if (isLoadingMore) return 0;
    setLoadingMore(true);
    wanted.current = shown + 1;
    try {
      return (await refresh()) - shown;
    } catch (cause) {
      wanted.current = shown;
      throw cause;
    } finally {
      setLoadingMore(false);
    }
  };

  const conversations = useMemo(() => data && groupInbox(data.items, data.counts, meId), [data, meId]);
  return {
    conversations,
    error: data ? undefined : error,
    list: { hasMore: Boolean(data?.next), isLoadingMore, loadMore },
    retry: () => void mutate(),
  };
};

type ByAd = Record<string, Message[]>;

/** Conversations from the newest one on, and what is counted of each. */
export interface Inbox {
  items: ByAd;
  counts: z.output<typeof ConversationCount>[];
  /** Where the rest of them is. */
  next: string | null;
}

/**
 * The inbox down to at least so many conversations. Page after page from the newest one, each where the one before it
 * ends now: what a new conversation pushes off one is on the next.
 */
export const fetchInbox = async (atLeast: number): Promise<Inbox> => {
  let inbox = await fetchInboxPage();
  while (inbox.next && inbox.counts.length < atLeast) {
    const more = await fetchInboxPage(new URLSearchParams(inbox.next.split('?')[1]).get('cursor') ?? undefined);
    const items = joinByAd(inbox.items, more.items);
    inbox = { items, counts: [...inbox.counts, ...more.counts], next: more.next };
  }
  return inbox;
};

const fetchInboxPage = async (cursor?: string): Promise<Inbox> => {
  const target = { query: { cursor } };
  const [{ items, next }, counts] = await Promise.all([
    fetchForQuery(listInbox, target),
    fetchForQuery(listConversationCounts, target),
  ]);
  return { items, counts, next };
};

/** An ad may have conversations on several pages. */
const joinByAd = (newer: ByAd, older: ByAd): ByAd => {
  const joined = { ...newer };
  for (const [adId, messages] of Object.entries(older)) joined[adId] = [...(joined[adId] ?? []), ...messages];
  return joined;
};

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

/** Where the cache holds the inbox. To fetch it anew, mutate that: if it is not on screen, it is fetched when it next is. */
export const INBOX_KEY = 'inbox';
