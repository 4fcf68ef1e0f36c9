import { getUnreadCount } from '../../../../contract/messages.ts';
import { fetchForQuery, useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { usePoll } from '../../hooks/use-poll.ts';
import { getPollInterval, useIsLive } from './live/live-events.ts';

const EVERY_MS = 30_000;

/** How many received messages are unread; asked for while signed in, every 30 s unless it is pushed. Used by the navbar alone. */
export const useUnreadPoll = (): number => {
  const { user } = useSession();
  const isLive = useIsLive();
  const { data, mutate } = useApiQuery(getUnreadCount, user ? {} : null);
  const everyMs = user ? getPollInterval(EVERY_MS, isLive) : null;
  usePoll(() => mutate(fetchForQuery(getUnreadCount), { revalidate: false }), everyMs);
  return data?.unreadCount ?? 0;
};

/** The same number without polling. */
export const useUnreadCount = (): number => {
  const { user } = useSession();
  return useApiQuery(getUnreadCount, user ? {} : null).data?.unreadCount ?? 0;
};
