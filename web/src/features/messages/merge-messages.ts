import type { Paged } from '../../../../contract/boot.ts';
import type { Message } from '../../../../contract/messages.ts';

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
export const unconfirmed = <S extends Sent>(outgoing: S[], messages: Message[], userId: string): S[] =>
  outgoing.filter(
    ({ content, after }) =>
      !messages.some((one) => one.senderId === userId && one.content === content && BigInt(one.id) > BigInt(after)),
  );
