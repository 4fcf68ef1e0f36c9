import { useMemo, useState } from 'react';
import { listConversationCounts, listInbox, type Message } from '../../../../contract/messages.ts';
import { fetchPage } from '../../api/client.ts';
import { fetchCached, useCall } from '../../api/use-call.ts';
import { useLivePoll } from '../../features/messages/live/use-live-poll.ts';
import { groupInbox } from './group-inbox.ts';

const EVERY_MS = 30_000;

/** The conversations of the signed-in user, kept fresh, with the older ones on demand. */
export const useInbox = (meId: string) => {
  const inbox = useCall(listInbox, {}, { revalidateIfStale: true });
  const counts = useCall(listConversationCounts, {}, { revalidateIfStale: true });
  const [older, setOlder] = useState<{ byAd: Record<string, Message[]>; next: string | null }>();
  const [isLoadingMore, setLoadingMore] = useState(false);
  const refresh = () =>
    Promise.all([
      inbox.mutate(fetchCached(listInbox), { revalidate: false }),
      counts.mutate(fetchCached(listConversationCounts), { revalidate: false }),
    ]);
  useLivePoll(refresh, EVERY_MS, () => true);

  // The older ones begin where the first page once ended: what a newer one has no room for any more is kept with them.
  const [first, setFirst] = useState(inbox.data);
  if (inbox.data && inbox.data !== first) {
    setFirst(inbox.data);
    if (first && older) setOlder({ ...older, byAd: joinByAd(first.items, older.byAd) });
  }

  const next = older ? older.next : (inbox.data?.next ?? null);
  const loadMore = async (): Promise<number> => {
    if (!next || isLoadingMore) return 0;
    setLoadingMore(true);
    try {
      const page = await fetchPage<Record<string, Message[]>>(next);
      // The first page may have become another one while this one came.
      const shown = inbox.data?.items ?? {};
      setOlder((before) => ({ byAd: joinByAd(before?.byAd ?? shown, page.items), next: page.next }));
      return groupInbox(page.items, [], meId).length;
    } finally {
      setLoadingMore(false);
    }
  };

  const conversations = useMemo(
    () => inbox.data && groupInbox(joinByAd(inbox.data.items, older?.byAd ?? {}), counts.data ?? [], meId),
    [inbox.data, older, counts.data, meId],
  );
  return {
    conversations,
    error: inbox.data ? undefined : inbox.error,
    list: { hasMore: next !== null, isLoadingMore, loadMore },
    retry: () => void inbox.mutate(),
  };
};

/** An ad may have conversations on several pages. A message of a newer page stands first and is kept once. */
const joinByAd = (newer: Record<string, Message[]>, older: Record<string, Message[]>): Record<string, Message[]> => {
  const joined = { ...newer };
  for (const [adId, messages] of Object.entries(older)) {
    const known = new Set((joined[adId] ?? []).map((message) => message.id));
    joined[adId] = [...(joined[adId] ?? []), ...messages.filter((message) => !known.has(message.id))];
  }
  return joined;
};
