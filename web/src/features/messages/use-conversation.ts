import { useEffect, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { Paged } from '../../../../contract/initial-state.ts';
import {
  type ConversationStatus,
  getConversation,
  getConversationStatus,
  getUnreadCount,
  type Message,
  type MessageEventData,
  markMessageRead,
  sendMessage,
} from '../../../../contract/messages.ts';
import { apiRequest, createKey, fetchPage, getErrorMessage } from '../../api/client.ts';
import { fetchForQuery, useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { usePoll } from '../../hooks/use-poll.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { useLivePoll } from './live/live-events.ts';
import { INBOX_KEY } from './use-inbox.ts';

export interface Conversing {
  adId: string;
  otherUserId: string;
}

/** The messages with one person about one ad, refreshed as they come, or every so often, while they are on screen. */
export const useConversation = (params: Conversing, everyMs: number) => {
  const { user } = useSession();
  // A message of this window is on its way: the outbox shows it, and refreshes once it has arrived.
  const isSending = useRef(false);
  const toast = useToast();
  const { data, error, mutate } = useApiQuery(getConversation, user ? { params } : null, { revalidateOnMount: true });
  const latest = useRef(data);
  latest.current = data;

  const refresh = async () => {
    const newest = await fetchForQuery(getConversation, { params });
    const arrived = received(latest.current, newest, user?.id ?? '');
    await mutate((loaded) => mergeNewest(loaded, newest), { revalidate: false });
    if (arrived.length > 0) toast({ title: 'New message received', duration: 2000 });
  };
  const concerns = ({ id, adId, senderId, receiverId }: MessageEventData) =>
    adId === params.adId &&
    [senderId, receiverId].includes(params.otherUserId) &&
    !(senderId === user?.id && isSending.current) &&
    !latest.current?.items.some((message) => message.id === id);
  useLivePoll(refresh, user ? everyMs : null, concerns);

  const loadEarlier = async () => {
    if (!data?.next) return;
    try {
      const earlier = await fetchPage<Message[]>(data.next);
      await mutate((loaded) => loaded && mergeEarlier(loaded, earlier), { revalidate: false });
    } catch (cause) {
      const description = getErrorMessage(cause, 'Failed to fetch messages');
      toast({ title: 'Error', description, variant: 'destructive' });
    }
  };
  return {
    messages: data?.items,
    hasEarlier: Boolean(data?.next),
    loadEarlier,
    error,
    isSending,
    refresh,
    retry: () => void mutate(),
  };
};

/** A message that the server has not confirmed yet. Its key makes trying again safe: the server takes it once. */
export interface PendingMessage {
  key: string;
  content: string;
  /** Id of the newest message on screen when it was written; '0' for none. */
  after: string;
  failed: boolean;
}

/** Sends messages; they show at once, and stay with a way to try again when that fails. */
export const useOutbox = ({ adId, otherUserId }: Conversing, refreshThread: () => Promise<void>) => {
  const [outgoing, setOutgoing] = useState<PendingMessage[]>([]);
  const { mutate } = useSWRConfig();
  const toast = useToast();

  const deliver = async (written: Omit<PendingMessage, 'failed'>): Promise<boolean> => {
    const { key, content } = written;
    setOutgoing((all) => [...all.filter((one) => one.key !== key), { ...written, failed: false }]);
    try {
      await apiRequest(sendMessage, { body: { adId, receiverId: otherUserId, content }, idempotencyKey: key });
    } catch (error) {
      setOutgoing((all) => all.map((one) => (one.key === key ? { ...one, failed: true } : one)));
      const description = getErrorMessage(error, 'Please try again.');
      toast({ title: 'Failed to send message', description, variant: 'destructive' });
      return false;
    }
    await refreshThread().catch(() => {});
    setOutgoing((all) => all.filter((one) => one.key !== key));
    await mutate(INBOX_KEY);
    return true;
  };

  return {
    outgoing,
    send: (content: string, after: string) => deliver({ key: createKey(), content, after }),
    retry: (one: PendingMessage) => deliver(one),
    discard: (key: string) => setOutgoing((all) => all.filter((one) => one.key !== key)),
    isSending: outgoing.some(({ failed }) => !failed),
  };
};

type Pages = Paged<Message[]>;

/** The newest page laid over what is already loaded, so that earlier pages stay on screen. Ids grow with time. */
export const mergeNewest = (loaded: Pages | undefined, newest: Pages): Pages => {
  const firstNew = newest.items[0];
  if (!loaded || !firstNew) return newest;
  const earlier = loaded.items.filter(({ id }) => BigInt(id) < BigInt(firstNew.id));
  return earlier.length > 0 ? { ...newest, items: [...earlier, ...newest.items], next: loaded.next } : newest;
};

/** Earlier messages put before the loaded ones. */
export const mergeEarlier = (loaded: Pages, earlier: Pages): Pages => ({
  ...loaded,
  items: [...earlier.items, ...loaded.items],
  next: earlier.next,
});

/** The messages of a poll that were not there before and came from the other person. */
export const received = (before: Pages | undefined, after: Pages, userId: string): Message[] => {
  if (!before) return [];
  const known = new Set(before.items.map(({ id }) => id));
  return after.items.filter((message) => message.receiverId === userId && !known.has(message.id));
};

/** What somebody sends, and the newest message that was there before. */
interface Sent {
  content: string;
  after: string;
}

/** Those that no answer has brought yet: what comes first, the answer to a call or news of it, shows a message once. */
export const getPendingMessages = <S extends Sent>(outgoing: S[], messages: Message[], userId: string): S[] =>
  outgoing.filter(
    ({ content, after }) =>
      !messages.some((one) => one.senderId === userId && one.content === content && BigInt(one.id) > BigInt(after)),
  );

/** Marks received messages as read while they are on screen, each once; then the bell and the inbox count anew. */
export const useMarkRead = (messages: Message[] | undefined, userId: string | undefined): void => {
  const marked = useRef(new Set<string>());
  const { mutate } = useSWRConfig();
  useEffect(() => {
    const unread = (messages ?? []).filter(
      ({ id, isRead, receiverId }) => !isRead && receiverId === userId && !marked.current.has(id),
    );
    if (unread.length === 0 || document.hidden) return;
    for (const { id } of unread) marked.current.add(id);
    const markAll = async () => {
      await Promise.allSettled(unread.map(({ id }) => apiRequest(markMessageRead, { params: { id } })));
      await mutate(getUnreadCount.path);
      await mutate(INBOX_KEY);
    };
    void markAll();
  }, [messages, userId, mutate]);
};

// a thousand open conversations ask three times a second
const EVERY_MS = 300_000;

/** Whether one may write, and about what: no news tell of a sale or a suspension, so it is asked for now and then. */
export const useConversationStatus = (params: Conversing): ConversationStatus | undefined => {
  const { data, mutate } = useApiQuery(getConversationStatus, { params }, { revalidateOnMount: true });
  usePoll(() => mutate(fetchForQuery(getConversationStatus, { params }), { revalidate: false }), EVERY_MS);
  return data;
};
