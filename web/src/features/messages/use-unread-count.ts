import { getUnreadCount } from '../../../../contract/messages.ts';
import { useLivePoll } from '../../api/events.ts';
import { fetchForQuery, useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';

const POLL_MS = 30_000;

/** The number of unread messages, polled while signed in. Use it once, in the navbar. */
export const useUnreadPoll = (): number => {
  const { user } = useSession();
  const { data, mutate } = useApiQuery(getUnreadCount, user ? {} : null);
  useLivePoll(() => mutate(fetchForQuery(getUnreadCount), { revalidate: false }), user ? POLL_MS : null);
  return data?.unreadCount ?? 0;
};

export const useUnreadCount = (): number => {
  const { user } = useSession();
  return useApiQuery(getUnreadCount, user ? {} : null).data?.unreadCount ?? 0;
};
