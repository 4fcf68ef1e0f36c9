import { useEffect, useMemo, useRef, useState } from 'react';
import { type Conversation, viewConversation } from '../../../../contract/conversations.ts';
import { t } from '../../../../contract/i18n.ts';
import { type Message, markConversationRead, sendMessage, type ThreadMessage } from '../../../../contract/messages.ts';
import { apiRequest, createKey, fetchPage, getErrorMessage, hasStatus } from '../../api/client.ts';
import { getLive, type LiveEvent, useLiveEvents, useLivePoll, usePageVisible } from '../../api/events.ts';
import { fetchForQuery, useApiMutation, useApiQuery, useInvalidateQueries, useQueryCache } from '../../api/query.ts';
import { useQueryWriter } from '../../api/query-writer.ts';
import { draftKey, useDraft } from '../../lib/draft.ts';
import { useStored } from '../../lib/storage.ts';
import { useToast } from '../../ui/toast/toast.tsx';
import {
  addMessage,
  type ConversationKey,
  getConversationUrl,
  isNewer,
  type LoadedConversation,
  mergeConversation,
} from './loaded-conversation.ts';

/** An open offer changes: it is fetched again with the newer messages. */
const isOpenOffer = ({ offer }: ThreadMessage): boolean => offer?.status === 'open';

/** Fetches the newest messages back to those already loaded. A single page could leave a gap. */
const fetchNewest = async (
  params: ConversationKey,
  loaded: LoadedConversation | undefined,
): Promise<LoadedConversation> => {
  let newest: LoadedConversation = await fetchForQuery(viewConversation, { params });
  const messages = loaded?.items.messages;
  const known = (messages?.find(isOpenOffer) ?? messages?.at(-1))?.id;
  const reachesKnown = ({
    items: {
      messages: [oldest],
    },
  }: LoadedConversation) => !known || !oldest || !isNewer(oldest.id, known);
  while (newest.next && !reachesKnown(newest))
    newest = mergeConversation(await fetchPage<Conversation>(newest.next), newest);
  return newest;
};

/**
 * The conversation with one person about one ad. Events bring new messages; what an event does not contain is read
 * again. Polls only while there is no event stream.
 */
export const useConversation = (params: ConversationKey, userId: string, everyMs: number) => {
  const toast = useToast();
  const cache = useQueryCache();
  const url = getConversationUrl(params);
  const getLoaded = () => cache.get(url)?.data as LoadedConversation | undefined;
  const { data, error, isValidating, mutate } = useApiQuery(
    viewConversation,
    { params },
    {
      freshMs: 0,
      fetcher: async () => {
        const newest = await fetchNewest(params, getLoaded());
        return mergeConversation(getLoaded(), newest);
      },
    },
  );
  const refresh = async (): Promise<void> => {
    const newest = await cache.read(url, () => fetchNewest(params, getLoaded()));
    await mutate((loaded) => mergeConversation(loaded, newest), { revalidate: false });
  };
  /** After a failure, the next event or poll catches up. */
  const refreshQuietly = () => refresh().catch(() => {});
  /** Reads again unless that has begun since then. A write without a response reads again by itself. */
  const refreshSince = async (time: number): Promise<void> => {
    await Promise.allSettled(cache.writes);
    if (!cache.isReadSince(url, time)) await refresh();
  };
  const showMessage = useShowMessage(params);
  const showReply = ({ ad: _ad, sender: _sender, receiver: _receiver, ...message }: Message) => showMessage(message);
  const handleEvent = async (event: LiveEvent): Promise<void> => {
    if (event.type === 'resumed') return refreshSince(event.since);
    const now = Date.now();
    if (event.type === 'conversation') {
      const isHere = event.adId === params.adId && event.otherUserId === params.otherUserId;
      return isHere ? refreshSince(now) : undefined;
    }
    const { adId, senderId, receiverId } = event.message;
    if (adId !== params.adId || ![senderId, receiverId].includes(params.otherUserId)) return;
    // The first message of a conversation and an offer change what one may do.
    if (await showMessage(event.message)) await refreshSince(now);
  };
  useLiveEvents((event) => void handleEvent(event).catch(() => {}));
  useLivePoll(refresh, everyMs);

  const conversation = data?.items;
  const messages = conversation?.messages;
  useNewMessageToast(messages, userId, isValidating);
  useMarkRead(params, messages, userId);

  const [isLoadingEarlier, setLoadingEarlier] = useState(false);
  const loadEarlier = async () => {
    if (!data?.next || isLoadingEarlier) return;
    setLoadingEarlier(true);
    try {
      const earlier = await fetchPage<Conversation>(data.next);
      const revalidate = cache.get(url)?.isValidating ?? false;
      await mutate((loaded) => loaded && mergeConversation(earlier, loaded), { revalidate });
    } catch (cause) {
      toast.error(getErrorMessage(cause, t('messages.fetchFailed')));
    } finally {
      setLoadingEarlier(false);
    }
  };

  const { pending, ...sending } = usePendingMessages(params, userId, {
    show: async (message) => {
      if (await showReply(message)) void refreshQuietly();
    },
    refuse: refreshQuietly,
  });
  return {
    // After a failed poll, the next one catches up.
    query: { data: conversation, error: data ? undefined : error, mutate: () => mutate() },
    showReply,
    hasEarlier: Boolean(data?.next),
    isLoadingEarlier,
    loadEarlier,
    pending: getPendingMessages(pending, messages ?? [], userId),
    ...sending,
  };
};

/**
 * Returns a function that shows a new or changed message of the conversation, unless it is shown already. It resolves to
 * whether what one may do may have changed.
 */
const useShowMessage = (params: ConversationKey) => {
  const write = useQueryWriter();
  const cache = useQueryCache();
  const url = getConversationUrl(params);
  return async (message: ThreadMessage): Promise<boolean> => {
    const { data, isValidating = false } = cache.get(url) ?? {};
    const loaded = data as LoadedConversation | undefined;
    if (!loaded) return true;
    const changed = addMessage(loaded, message);
    if (changed === loaded) return false;
    // Writing to the cache entry discards a running request, so the request is repeated.
    await write(viewConversation, { params }, (now) => addMessage(now ?? loaded, message), isValidating);
    const known = loaded.items.messages.find(({ id }) => id === message.id);
    return loaded.items.messages.length === 0 || known?.offer?.status !== message.offer?.status;
  };
};

/**
 * A message that the server has not confirmed. The server stores messages with the same key once, so retries are safe.
 */
export interface PendingMessage {
  key: string;
  /** Empty if there are photos alone. */
  content: string;
  /** Of uploaded photos. Absent in messages that a tab of the release before has stored. */
  imageIds?: string[];
  /** Id of the newest message on screen when this one was sent; '0' for none. */
  after: string;
  failed: boolean;
}

const inFlight = new Set<string>();

/**
 * Sends messages. They appear immediately and are stored for the tab until the server confirms them, so they survive a
 * closed dialog and a reload. Failed messages can be sent again or discarded.
 */
const usePendingMessages = (
  { adId, otherUserId }: ConversationKey,
  userId: string,
  { show, refuse }: { show: (message: Message) => Promise<unknown>; refuse: () => Promise<unknown> },
) => {
  const storageKey = draftKey(userId, `outbox:${adId}:${otherUserId}`);
  const outbox = useDraft<PendingMessage[]>(storageKey);
  // A closed dialog may still be sending.
  const stored = useStored('sessionStorage', storageKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: changes when the outbox does
  const pending = useMemo(() => outbox.read() ?? [], [stored, storageKey]);
  const update = (change: (all: PendingMessage[]) => PendingMessage[]) => {
    const all = change(outbox.read() ?? []);
    outbox.write(all.length > 0 ? all : undefined);
  };
  const remove = (key: string) => update((all) => all.filter((message) => message.key !== key));
  const post = useApiMutation(sendMessage);
  const toast = useToast();

  const deliver = async (message: PendingMessage): Promise<void> => {
    const { key, content, imageIds } = message;
    inFlight.add(key);
    update((all) => [...all.filter((other) => other.key !== key), { ...message, failed: false }]);
    try {
      await post({ body: { adId, receiverId: otherUserId, content, imageIds }, idempotencyKey: key }, show);
      remove(key);
    } catch (error) {
      update((all) => all.map((other) => (other.key === key ? { ...other, failed: true } : other)));
      toast.error(getErrorMessage(error, t('messages.pleaseTryAgain')), t('messages.sendFailed'));
      // It may no longer be allowed.
      if (hasStatus(error, 403) || hasStatus(error, 404)) void refuse();
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
    send: (message: Pick<PendingMessage, 'content' | 'imageIds' | 'after'>) =>
      void deliver({ ...message, key: createKey(), failed: false }),
    sendAgain: (message: PendingMessage) => void deliver(message),
    discard: remove,
  };
};

/**
 * Pending messages that the server's list does not contain yet. A refresh may deliver a message before the response to
 * its POST.
 */
export const getPendingMessages = <P extends Pick<PendingMessage, 'content' | 'imageIds' | 'after'>>(
  pending: P[],
  messages: ThreadMessage[],
  userId: string,
): P[] =>
  pending.filter(
    ({ content, imageIds = [], after }) =>
      !messages.some(
        (message) =>
          message.senderId === userId &&
          (message.isWordless ? '' : message.content) === content &&
          (message.photos?.length ?? 0) === imageIds.length &&
          isNewer(message.id, after),
      ),
  );

/** Shows a toast about new messages from the other person, but not for the first load. */
const useNewMessageToast = (messages: ThreadMessage[] | undefined, userId: string, isLoading: boolean): void => {
  const toast = useToast();
  const newestRef = useRef<string>(undefined);
  useEffect(() => {
    const known = newestRef.current;
    if (!messages || (known === undefined && isLoading)) return;
    newestRef.current = messages.at(-1)?.id ?? '0';
    if (known === undefined) return;
    const isNew = messages.some(({ id, receiverId }) => receiverId === userId && isNewer(id, known));
    if (isNew) toast({ title: t('messages.newReceived'), duration: 2000 });
  }, [messages, userId, isLoading, toast]);
};

/** The stream says how many are unread. If it is not open by then, the number is read again. */
const COUNT_WAIT_MS = 2000;

/** Marks the received messages on screen as read by one request. After a failure, the next change retries. */
const useMarkRead = (params: ConversationKey, messages: ThreadMessage[] | undefined, userId: string): void => {
  const { adId, otherUserId } = params;
  /** The newest message that has been marked, of which conversation. */
  const markedRef = useRef({ key: '', upTo: '0' });
  const invalidate = useInvalidateQueries();
  const isVisible = usePageVisible();
  const upTo = messages?.findLast(({ isRead, receiverId }) => !isRead && receiverId === userId)?.id;
  useEffect(() => {
    const key = `${adId}/${otherUserId}`;
    const marked = markedRef.current.key === key ? markedRef.current : { key, upTo: '0' };
    if (upTo === undefined || !isNewer(upTo, marked.upTo) || !isVisible) return;
    markedRef.current = { key, upTo };
    apiRequest(markConversationRead, { params: { adId, otherUserId }, body: { upTo } }).then(
      () => {
        void invalidate('inbox');
        setTimeout(() => getLive() || void invalidate('unread'), COUNT_WAIT_MS);
      },
      () => {
        markedRef.current = marked;
      },
    );
  }, [adId, otherUserId, upTo, isVisible, invalidate]);
};
