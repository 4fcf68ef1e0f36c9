import type * as z from 'zod/mini';
import {
  type ConversationCount,
  listConversationCounts,
  listInbox,
  type Message,
} from '../../../../contract/messages.ts';
import { fetchCached } from '../../api/use-call.ts';

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
    fetchCached(listInbox, target),
    fetchCached(listConversationCounts, target),
  ]);
  return { items, counts, next };
};

/** An ad may have conversations on several pages. */
const joinByAd = (newer: ByAd, older: ByAd): ByAd => {
  const joined = { ...newer };
  for (const [adId, messages] of Object.entries(older)) joined[adId] = [...(joined[adId] ?? []), ...messages];
  return joined;
};
