import { getUnreadNotificationCount } from '../../../../contract/notifications.ts';
import { useApiQuery } from '../../api/query.ts';
import { formatBadge } from '../../lib/format.ts';
import { Badge } from '../../ui/card.tsx';

/** The number of unread notifications, for a menu. The event stream keeps it current. */
export const NotificationsBadge = () => {
  const { data } = useApiQuery(getUnreadNotificationCount, {});
  if (!data?.unreadCount) return null;
  return (
    <Badge variant="destructive" className="ml-auto">
      {formatBadge(data.unreadCount)}
      <span className="sr-only"> unread</span>
    </Badge>
  );
};
