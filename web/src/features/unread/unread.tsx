import { t } from '../../../../contract/i18n.ts';
import { getUnreadCount } from '../../../../contract/messages.ts';
import { getUnreadNotificationCount } from '../../../../contract/notifications.ts';
import { useLivePoll } from '../../api/events.ts';
import { fetchForQuery, useApiQuery } from '../../api/query.ts';
import { useQueryWriter } from '../../api/query-writer.ts';
import { useSession } from '../../api/session.ts';
import { formatBadge } from '../../lib/format.ts';
import { Badge } from '../../ui/card.tsx';

export interface Unread {
  messages: number;
  notifications: number;
}

const useMayRead = (): boolean => {
  const { user } = useSession();
  return Boolean(user && !user.suspendedUntil);
};

/** How much of the inbox is unread. */
export const useUnread = (): Unread => {
  const target = useMayRead() ? {} : null;
  const { data: messages } = useApiQuery(getUnreadCount, target);
  const { data: notifications } = useApiQuery(getUnreadNotificationCount, target);
  return { messages: messages?.unreadCount ?? 0, notifications: notifications?.unreadCount ?? 0 };
};

const POLL_MS = 30_000;

/** Keeps both counts current while the event stream does not. */
export const useUnreadPoll = (): void => {
  const write = useQueryWriter();
  const poll = async () => {
    const [messages, notifications] = await Promise.all([
      fetchForQuery(getUnreadCount),
      fetchForQuery(getUnreadNotificationCount),
    ]);
    await Promise.all([write(getUnreadCount, {}, messages), write(getUnreadNotificationCount, {}, notifications)]);
  };
  useLivePoll(poll, useMayRead() ? POLL_MS : null);
};

/** "Messages, 99+ unread; notifications unread" */
export const withUnread = (label: string, { messages, notifications }: Unread): string =>
  [
    messages > 0 ? t('shell.unreadMessages', { label, count: formatBadge(messages) }) : label,
    notifications > 0 ? t('shell.notificationsUnread') : '',
  ]
    .filter(Boolean)
    .join('; ');

/** On an icon: how many messages are unread, and a dot while a notification is. */
export const UnreadMarks = ({ unread: { messages, notifications } }: { unread: Unread }) => (
  <>
    {messages > 0 ? (
      <span
        aria-hidden="true"
        className="absolute -top-1.5 start-2.5 min-w-5 rounded-full bg-destructive px-1 text-center text-xs leading-5 font-semibold text-destructive-foreground tabular-nums"
      >
        {formatBadge(messages)}
      </span>
    ) : null}
    {notifications > 0 ? (
      <span
        data-slot="unread-dot"
        className="absolute -bottom-0.5 -start-0.5 size-2.5 rounded-full border-2 border-background bg-primary"
      />
    ) : null}
  </>
);

/** A count in a menu or on a tab. */
export const UnreadBadge = ({ count, className }: { count: number; className?: string }) =>
  count > 0 ? (
    <Badge variant="destructive" className={className}>
      {formatBadge(count)}
      <span className="sr-only"> {t('shell.unread')}</span>
    </Badge>
  ) : null;
