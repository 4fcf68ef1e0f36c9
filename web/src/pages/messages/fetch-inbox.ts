import { listConversationCounts, listInbox, type Message } from '../../../../contract/messages.ts';
import { fetchCached } from '../../api/use-call.ts';

type ByAd = Record<string, Message[]>;

/**
 * The inbox down to at least so many conversations, and the counts of each. Page after page from the newest one, each
 * where the one before it ends now: what a new conversation pushes off one is on the next.
 */
export const fetchInbox = async (atLeast: number) => {
  let { inbox, counts } = await fetchInboxPage();
  while (inbox.next && counts.length < atLeast) {
    const more = await fetchInboxPage(new URLSearchParams(inbox.next.split('?')[1]).get('cursor') ?? undefined);
    inbox = { ...more.inbox, items: joinByAd(inbox.items, more.inbox.items) };
    counts = [...counts, ...more.counts];
  }
  return { inbox, counts };
};

const fetchInboxPage = async (cursor?: string) => {
  const target = { query: { cursor } };
  const [inbox, counts] = await Promise.all([
    fetchCached(listInbox, target),
    fetchCached(listConversationCounts, target),
  ]);
  return { inbox, counts };
};

/** An ad may have conversations on several pages. */
const joinByAd = (newer: ByAd, older: ByAd): ByAd => {
  const joined = { ...newer };
  for (const [adId, messages] of Object.entries(older)) joined[adId] = [...(joined[adId] ?? []), ...messages];
  return joined;
};
