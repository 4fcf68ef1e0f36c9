import { useRef } from 'react';
import type { Message, MessageNews } from '../../../../contract/messages.ts';
import { getConversation } from '../../../../contract/messages.ts';
import { messageOf } from '../../api/api-error.ts';
import { fetchPage } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { fetchCached, useCall } from '../../api/use-call.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import { useLivePoll } from './live/use-live-poll.ts';
import { mergeEarlier, mergeNewest, received } from './merge-messages.ts';

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
  const { data, error, mutate } = useCall(getConversation, user ? { params } : null, { revalidateOnMount: true });
  const latest = useRef(data);
  latest.current = data;

  const refresh = async () => {
    const newest = await fetchCached(getConversation, { params });
    const arrived = received(latest.current, newest, user?.id ?? '');
    await mutate((loaded) => mergeNewest(loaded, newest), { revalidate: false });
    if (arrived.length > 0) toast({ title: 'New message received', duration: 2000 });
  };
  const concerns = ({ id, adId, senderId, receiverId }: MessageNews) =>
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
      const description = messageOf(cause, 'Failed to fetch messages');
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
