import { useRef, useState } from 'react';
import { type InboxLine, type InboxPage, listConversations } from '../../../../contract/conversations.ts';
import type { ThreadMessage } from '../../../../contract/messages.ts';
import { type LiveEvent, useLiveEvents, useLivePoll } from '../../api/events.ts';
import { fetchForQuery, useApiQuery, useQueryCache } from '../../api/query.ts';

const POLL_MS = 30_000;

export interface InboxConversation extends Pick<InboxLine, 'latest' | 'messages' | 'unread'> {
  ad: InboxPage['ads'][number];
  other: InboxPage['people'][number];
}

/** Conversations ordered by newest message, and the cursor of the next page. */
export interface Inbox {
  conversations: InboxConversation[];
  next: string | null;
}

/** The cache key of the inbox: all loaded pages are one entry. */
const INBOX_KEY = listConversations.path;

/** The user's conversations. Polls refresh all loaded pages. */
export const useInbox = (meId: string) => {
  const cache = useQueryCache();
  // The latest of several concurrent requests wins: it asks for at least as many conversations as the earlier ones.
  const wantedRef = useRef(0);
  const latestRef = useRef<Promise<Inbox>>(undefined);
  const fetchWanted = () => {
    latestRef.current = fetchInbox(wantedRef.current);
    return latestRef.current;
  };
  const { data, error, mutate } = useApiQuery<typeof listConversations, Inbox>(
    listConversations,
    {},
    { freshMs: 0, fetcher: fetchWanted },
  );
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
    const first = await fetchInboxPage();
    await mutate((loaded) => (loaded ? mergeInbox(first, loaded) : first), { revalidate: false });
  };
  const handleEvent = async (event: LiveEvent): Promise<unknown> => {
    if (event.type === 'resumed') return cache.isReadSince(INBOX_KEY, event.since) ? undefined : refresh();
    if (event.type !== 'message') return;
    const loaded = cache.get(INBOX_KEY)?.data as Inbox | undefined;
    const changed = loaded && addMessage(loaded, event.message, meId);
    if (changed === loaded) return;
    return changed ? mutate(changed, { revalidate: cache.get(INBOX_KEY)?.isValidating ?? false }) : refreshFirstPage();
  };
  // After a failure, the next event or poll catches up.
  useLiveEvents((event) => void handleEvent(event).catch(() => {}));
  useLivePoll(refresh, POLL_MS);

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
    data: data?.conversations,
    // After a failed poll, the next one catches up.
    error: data ? undefined : error,
    list: { hasMore: Boolean(data?.next), isLoadingMore, loadMore },
    mutate: () => mutate(),
  };
};

/**
 * Fetches the pages one after another, each from the current end of the previous one: a new conversation shifts others
 * to the next page.
 */
const fetchInbox = async (atLeast: number): Promise<Inbox> => {
  let inbox = await fetchInboxPage();
  while (inbox.next && inbox.conversations.length < atLeast) {
    const more = await fetchInboxPage(new URLSearchParams(inbox.next.split('?')[1]).get('cursor') ?? undefined);
    inbox = { ...mergeInbox(inbox, more), next: more.next };
  }
  return inbox;
};

const fetchInboxPage = async (cursor?: string): Promise<Inbox> => {
  const { items, next } = await fetchForQuery(listConversations, { query: { cursor } });
  const ads = new Map(items.ads.map((ad) => [ad.id, ad]));
  const people = new Map(items.people.map((person) => [person.id, person]));
  const conversations = items.lines.flatMap(({ adId, otherUserId, ...line }) => {
    const [ad, other] = [ads.get(adId), people.get(otherUserId)];
    return ad && other ? [{ ...line, ad, other }] : [];
  });
  return { conversations, next };
};

/** The inbox with a message; undefined if its conversation is not loaded; the same object if nothing is new. */
const addMessage = (inbox: Inbox, message: ThreadMessage, meId: string): Inbox | undefined => {
  const { adId, senderId, receiverId, isRead } = message;
  const otherId = senderId === meId ? receiverId : senderId;
  const found = inbox.conversations.find(({ ad, other }) => ad.id === adId && other.id === otherId);
  if (!found) return undefined;
  if (BigInt(message.id) <= BigInt(found.latest.id)) return inbox;
  const isUnread = receiverId === meId && !isRead;
  const changed = {
    ...found,
    latest: message,
    messages: found.messages + 1,
    unread: found.unread + (isUnread ? 1 : 0),
  };
  const others = inbox.conversations.filter((one) => one !== found);
  return { ...inbox, conversations: [changed, ...others] };
};

export const getConversationKey = ({ ad, other }: InboxConversation): string => `${ad.id}-${other.id}`;

/** Merges two pages. A conversation on both comes from `newer`; the cursor comes from `older`. */
const mergeInbox = (newer: Inbox, older: Inbox): Inbox => {
  const byKey = new Map([...older.conversations, ...newer.conversations].map((one) => [getConversationKey(one), one]));
  return { conversations: sortByLatest([...byKey.values()]), next: older.next };
};

const sortByLatest = (conversations: InboxConversation[]): InboxConversation[] =>
  conversations.sort((a, b) => (BigInt(a.latest.id) > BigInt(b.latest.id) ? -1 : 1));
