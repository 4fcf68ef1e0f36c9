import { useMemo, useRef, useState } from 'react';
import useSWR from 'swr';
import type { ApiError } from '../../api/api-error.ts';
import { INBOX_KEY } from '../../features/messages/inbox-key.ts';
import { useLivePoll } from '../../features/messages/live/use-live-poll.ts';
import { fetchInbox, type Inbox } from './fetch-inbox.ts';
import { groupInbox } from './group-inbox.ts';

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
