import { getUnreadCount } from '../../../../contract/messages.ts';
import { useSession } from '../../api/session.ts';
import { fetchCached, useCall } from '../../api/use-call.ts';
import { usePoll } from '../../lib/use-poll.ts';

const EVERY_MS = 30_000;

/** How many received messages are unread; asked for while signed in, every 30 s. Used by the navbar alone. */
export const useUnreadPoll = (): number => {
  const { user } = useSession();
  const { data, mutate } = useCall(getUnreadCount, user ? {} : null);
  usePoll(() => mutate(fetchCached(getUnreadCount), { revalidate: false }), user ? EVERY_MS : null);
  return data?.unreadCount ?? 0;
};

/** The same number without polling. */
export const useUnreadCount = (): number => {
  const { user } = useSession();
  return useCall(getUnreadCount, user ? {} : null).data?.unreadCount ?? 0;
};
