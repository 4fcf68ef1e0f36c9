import { useEffect, useMemo, useRef, useState } from 'react';
import { useSWRConfig } from 'swr';
import { type Paged, toUrl } from '../../../../contract/initial-state.ts';
import {
  getConversation,
  getConversationStatus,
  type Message,
  type MessageEventData,
  markConversationRead,
  sendMessage,
} from '../../../../contract/messages.ts';
import { apiRequest, createKey, fetchPage, getErrorMessage } from '../../api/client.ts';
import { useLivePoll, usePageVisible, usePoll } from '../../api/events.ts';
import { fetchForQuery, useApiMutation, useApiQuery, useInvalidateQueries, useQueryCache } from '../../api/query.ts';
import { draftKey, useStored, writeStored } from '../../lib/storage.ts';
import { useToast } from '../../ui/toast/toast.tsx';

export interface ConversationKey {
  adId: string;
  otherUserId: string;
}

type Messages = Paged<Message[]>;

const isNewer = (a: string, b: string): boolean => BigInt(a) > BigInt(b);

/** Merges messages by id, oldest first; ids increase with time. For a message in both, `newer` wins. */
export const mergeMessages = (loaded: Messages | undefined, newer: Messages): Messages => {
  if (!loaded) return newer;
  const byId = new Map([...loaded.items, ...newer.items].map((message) => [message.id, message]));
  const items = [...byId.values()].sort((a, b) => (isNewer(a.id, b.id) ? 1 : -1));
  // The next page starts before the oldest message.
  const isLoadedOldest = loaded.items[0] !== undefined && loaded.items[0] === items[0];
  return { ...newer, items, next: isLoadedOldest ? loaded.next : newer.next };
};

/** An open offer changes: it is fetched again with the newer messages. */
const isOpenOffer = ({ offer }: Message): boolean => offer?.status === 'open';

/** Fetches the newest messages back to those already loaded. A single page could leave a gap. */
const fetchNewest = async (params: ConversationKey, loaded: Messages | undefined): Promise<Messages> => {
  let newest: Messages = await fetchForQuery(getConversation, { params });
  const known = (loaded?.items.find(isOpenOffer) ?? loaded?.items.at(-1))?.id;
  while (known && newest.next && newest.items[0] && isNewer(newest.items[0].id, known))
    newest = mergeMessages(newest, await fetchPage<Message[]>(newest.next));
  return newest;
};

/** The messages with one person about one ad, and whether the user may write. Refreshed by events and polls. */
export const useConversation = (params: ConversationKey, userId: string, everyMs: number) => {
  const toast = useToast();
  const cache = useQueryCache();
  const url = toUrl(getConversation, { params });
  const getLoaded = () => cache.get(url)?.data as Messages | undefined;
  const { data, error, isValidating, mutate } = useApiQuery(
    getConversation,
    { params },
    {
      revalidateOnMount: true,
      fetcher: async () => mergeMessages(getLoaded(), await fetchNewest(params, getLoaded())),
    },
  );
  const refresh = async (): Promise<void> => {
    const newest = await fetchNewest(params, getLoaded());
    await mutate((loaded) => mergeMessages(loaded, newest), { revalidate: false });
  };
  const handleEvent = ({ id, adId, senderId, receiverId }: MessageEventData) => {
    const isHere = adId === params.adId && [senderId, receiverId].includes(params.otherUserId);
    const known = getLoaded()?.items.find((message) => message.id === id);
    // An accepted offer also reserves the ad.
    if (isHere && known?.offer) return Promise.all([refresh(), status.refresh()]);
    return isHere && !known ? refresh() : undefined;
  };
  const status = useConversationStatus(params);
  useLivePoll(refresh, everyMs, handleEvent);

  const messages = data?.items;
  useNewMessageToast(messages, userId, isValidating);
  useMarkRead(params, messages, userId);

  const [isLoadingEarlier, setLoadingEarlier] = useState(false);
  const loadEarlier = async () => {
    if (!data?.next || isLoadingEarlier) return;
    setLoadingEarlier(true);
    try {
      const earlier = await fetchPage<Message[]>(data.next);
      const revalidate = cache.get(url)?.isValidating ?? false;
      await mutate((loaded) => loaded && mergeMessages(earlier, loaded), { revalidate });
    } catch (cause) {
      toast.error(getErrorMessage(cause, 'Failed to fetch messages'));
    } finally {
      setLoadingEarlier(false);
    }
  };

  const { pending, ...sending } = usePendingMessages(params, userId);
  return {
    messages,
    status: status.data,
    // Each has its own data, so each failure counts only while its data is missing.
    error: (data ? undefined : error) ?? (status.data ? undefined : status.error),
    retry: () => {
      if (!data) void mutate();
      if (!status.data) status.retry();
    },
    hasEarlier: Boolean(data?.next),
    isLoadingEarlier,
    loadEarlier,
    pending: getPendingMessages(pending, messages ?? [], userId),
    ...sending,
  };
};

/**
 * A message that the server has not confirmed. The server stores messages with the same key once, so retries are safe.
 */
export interface PendingMessage {
  key: string;
  content: string;
  /** Id of the newest message on screen when this one was sent; '0' for none. */
  after: string;
  failed: boolean;
}

const inFlight = new Set<string>();

const parsePending = (json: string | null): PendingMessage[] => (json ? JSON.parse(json) : []);

/**
 * Sends messages. They appear immediately and are stored for the tab until the server confirms them, so they survive a
 * closed dialog and a reload. Failed messages can be sent again or discarded.
 */
const usePendingMessages = ({ adId, otherUserId }: ConversationKey, userId: string) => {
  const storageKey = draftKey(userId, `outbox:${adId}:${otherUserId}`);
  const stored = useStored('sessionStorage', storageKey);
  const pending = useMemo(() => parsePending(stored.value), [stored.value]);
  const update = (change: (all: PendingMessage[]) => PendingMessage[]) => {
    const all = change(parsePending(stored.read()));
    writeStored('sessionStorage', storageKey, all.length > 0 ? JSON.stringify(all) : null);
  };
  const remove = (key: string) => update((all) => all.filter((message) => message.key !== key));
  const { mutate } = useSWRConfig();
  const cache = useQueryCache();
  const post = useApiMutation(sendMessage);
  const toast = useToast();
  const url = toUrl(getConversation, { params: { adId, otherUserId } });

  /** Writing to the cache entry discards a running request, so the request is repeated. */
  const append = (sent: Messages) => {
    const { data, isValidating = false } = cache.get(url) ?? {};
    if (!data) return mutate(url);
    return mutate(url, (loaded?: Messages) => mergeMessages(loaded, sent), { revalidate: isValidating });
  };

  const deliver = async (message: PendingMessage): Promise<void> => {
    const { key, content } = message;
    inFlight.add(key);
    update((all) => [...all.filter((other) => other.key !== key), { ...message, failed: false }]);
    try {
      const sent = await post({ body: { adId, receiverId: otherUserId, content }, idempotencyKey: key });
      await append({ items: [sent], next: null, total: null, totalExact: true });
      remove(key);
    } catch (error) {
      update((all) => all.map((other) => (other.key === key ? { ...other, failed: true } : other)));
      toast.error(getErrorMessage(error, 'Please try again.'), 'Failed to send message');
    } finally {
      inFlight.delete(key);
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once: a reload may have interrupted the request
  useEffect(() => {
    for (const message of pending) if (!message.failed && !inFlight.has(message.key)) void deliver(message);
  }, []);

  return {
    pending,
    isSending: pending.some(({ failed }) => !failed),
    send: (content: string, after: string) => void deliver({ key: createKey(), content, after, failed: false }),
    sendAgain: (message: PendingMessage) => void deliver(message),
    discard: remove,
  };
};

/**
 * Pending messages that the server's list does not contain yet. A refresh may deliver a message before the response to
 * its POST.
 */
export const getPendingMessages = <P extends Pick<PendingMessage, 'content' | 'after'>>(
  pending: P[],
  messages: Message[],
  userId: string,
): P[] =>
  pending.filter(
    ({ content, after }) =>
      !messages.some(
        (message) => message.senderId === userId && message.content === content && isNewer(message.id, after),
      ),
  );

/** Shows a toast about new messages from the other person, but not for the first load. */
const useNewMessageToast = (messages: Message[] | undefined, userId: string, isLoading: boolean): void => {
  const toast = useToast();
  const newestRef = useRef<string>(undefined);
  useEffect(() => {
    const known = newestRef.current;
    if (!messages || (known === undefined && isLoading)) return;
    newestRef.current = messages.at(-1)?.id ?? '0';
    if (known === undefined) return;
    const isNew = messages.some(({ id, receiverId }) => receiverId === userId && isNewer(id, known));
    if (isNew) toast({ title: 'New message received', duration: 2000 });
  }, [messages, userId, isLoading, toast]);
};

/** Marks the received messages on screen as read by one request. After a failure, the next change retries. */
const useMarkRead = (params: ConversationKey, messages: Message[] | undefined, userId: string): void => {
  const { adId, otherUserId } = params;
  const markedRef = useRef<string>(undefined);
  const invalidate = useInvalidateQueries();
  const isVisible = usePageVisible();
  const upTo = messages?.findLast(({ isRead, receiverId }) => !isRead && receiverId === userId)?.id;
  useEffect(() => {
    const newest = `${adId}/${otherUserId}/${upTo}`;
    if (upTo === undefined || markedRef.current === newest || !isVisible) return;
    markedRef.current = newest;
    apiRequest(markConversationRead, { params: { adId, otherUserId }, body: { upTo } }).then(
      () => invalidate(...markConversationRead.invalidates),
      () => {
        markedRef.current = undefined;
      },
    );
  }, [adId, otherUserId, upTo, isVisible, invalidate]);
};

// No event reports a sale or a ban. The interval is long because every open conversation polls.
const STATUS_POLL_MS = 300_000;

/** Whether the user may write here, with the ad and the other person. */
const useConversationStatus = (params: ConversationKey) => {
  const { data, error, mutate } = useApiQuery(getConversationStatus, { params }, { revalidateOnMount: true });
  const refresh = () => mutate(fetchForQuery(getConversationStatus, { params }), { revalidate: false });
  usePoll(refresh, STATUS_POLL_MS);
  return { data, error, refresh, retry: () => void mutate() };
};
