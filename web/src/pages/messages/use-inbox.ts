import { useEffect, useMemo, useRef, useState } from 'react';
import { listConversationCounts, listInbox } from '../../../../contract/messages.ts';
import { useCall } from '../../api/use-call.ts';
import { useLivePoll } from '../../features/messages/live/use-live-poll.ts';
import { fetchInbox } from './fetch-inbox.ts';
import { groupInbox } from './group-inbox.ts';

const EVERY_MS = 30_000;

/** The conversations of the signed-in user, as many as were asked for, all of them kept fresh. */
export const useInbox = (meId: string) => {
  const inbox = useCall(listInbox, {});
  const counts = useCall(listConversationCounts, {});
  const [isLoadingMore, setLoadingMore] = useState(false);
  const shown = counts.data?.length ?? 0;
  // Of several fetches at once the last one counts: it asks for as many conversations as any before it.
  const wanted = useRef(0);

  /** Answers how many there are now. */
  const refresh = async (): Promise<number> => {
    const fetched = fetchInbox(Math.max(shown, wanted.current));
    const options = { revalidate: false };
    await Promise.all([
      inbox.mutate(
        fetched.then((all) => all.inbox),
        options,
      ),
      counts.mutate(
        fetched.then((all) => all.counts),
        options,
      ),
    ]);
    return (await fetched).counts.length;
  };
  useLivePoll(refresh, EVERY_MS, () => true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was loaded before may have become old
  useEffect(() => {
    if (inbox.data) refresh().catch(() => {});
  }, []);

  const loadMore = async (): Promise<number> => {
    if (isLoadingMore) return 0;
    setLoadingMore(true);
    wanted.current = shown + 1;
    try {
      return (await refresh()) - shown;
    } catch (error) {
      wanted.current = 0;
      throw error;
    } finally {
      setLoadingMore(false);
    }
  };

  const conversations = useMemo(
    () => inbox.data && groupInbox(inbox.data.items, counts.data ?? [], meId),
    [inbox.data, counts.data, meId],
  );
  return {
    conversations,
    error: inbox.data ? undefined : inbox.error,
    list: { hasMore: Boolean(inbox.data?.next), isLoadingMore, loadMore },
    retry: () => void inbox.mutate(),
  };
};
