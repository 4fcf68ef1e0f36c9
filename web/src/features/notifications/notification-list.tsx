import { clsx as cn } from 'clsx';
import {
  Bell,
  BellRing,
  BookmarkCheck,
  CheckCheck,
  CircleAlert,
  CircleCheck,
  CircleX,
  Clock,
  Flag,
  HandCoins,
  Handshake,
  type LucideIcon,
  Megaphone,
  MessageSquare,
  Scale,
  Search,
  Settings,
  Star,
  TrendingDown,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../../contract/i18n.ts';
import {
  listNotifications,
  markAllNotificationsRead,
  markNotificationRead,
  type Notification,
  type NotificationKind,
} from '../../../../contract/notifications.ts';
import { useApiMutation, useInfiniteApiQuery } from '../../api/query.ts';
import { useAction } from '../../api/use-action.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { announce } from '../../lib/announcer.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { EmptyState, SkeletonRegion } from '../../ui/feedback.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { TimeAgo } from '../../ui/local-date.tsx';
import { Query } from '../../ui/query.tsx';

/** What happened, newest first. */
export const NotificationList = () => {
  const list = useInfiniteApiQuery(listNotifications, {});
  const markAll = useApiMutation(markAllNotificationsRead);
  const { isBusy, run } = useAction();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const newest = list.data?.[0];

  const handleMarkAll = async () => {
    if (!newest) return;
    const isDone = await run(() => markAll({ body: { upTo: newest.id } }), t('notifications.markAllFailed'));
    if (isDone) announce(t('notifications.allRead'));
  };

  return (
    <>
      <div {...focusFallback} tabIndex={-1} className="mb-4 flex min-h-11 flex-wrap items-center gap-2">
        {list.data?.some(({ isRead }) => !isRead) ? (
          <Button variant="outline" size="sm" busy={isBusy} onClick={() => void handleMarkAll()}>
            <CheckCheck />
            {t('notifications.markAll')}
          </Button>
        ) : null}
        {/* A phone shows the icon alone: both buttons fit into one row. */}
        <LinkButton to="/preferences#notification-settings" variant="outline" size="sm" className="ms-auto">
          <Settings /> <span className="max-sm:sr-only">{t('notifications.settings')}</span>
        </LinkButton>
      </div>
      <Query
        of={list}
        failure={t('notifications.loadFailed')}
        loading={<SkeletonRegion className="grid gap-3" boxes={Array(4).fill('h-20')} />}
        empty={<EmptyState icon={Bell} title={t('notifications.none')} text={t('notifications.noneText')} />}
      >
        {(items) => (
          <>
            <ul className="card grid divide-y divide-border p-0">
              {items.map((notification) => (
                <li key={notification.id}>
                  <NotificationItem notification={notification} />
                </li>
              ))}
            </ul>
            <LoadMoreButton list={list} />
          </>
        )}
      </Query>
    </>
  );
};

const ICONS: Record<NotificationKind, LucideIcon> = {
  message: MessageSquare,
  ad_approved: CircleCheck,
  ad_rejected: CircleAlert,
  ad_held: CircleAlert,
  ad_expiring: Clock,
  ad_expired: CircleX,
  price_drop: TrendingDown,
  search_match: Search,
  seller_new_ad: BellRing,
  offer: HandCoins,
  reservation: BookmarkCheck,
  deal: Handshake,
  rating: Star,
  report_outcome: Flag,
  decision: Scale,
  notice: Megaphone,
};

const ROW = 'flex w-full items-start gap-3 p-4 text-start';

const NotificationItem = ({ notification }: { notification: Notification }) => {
  const { id, kind, title, body, url, isRead, createdAt } = notification;
  const markRead = useApiMutation(markNotificationRead);
  const { run } = useAction();
  const handleOpen = () => {
    if (!isRead) void run(() => markRead({ params: { id } }), t('notifications.markFailed'));
  };
  const Icon = ICONS[kind];
  const content: ReactNode = (
    <>
      <Icon className={cn('mt-0.5 size-5 shrink-0', isRead ? 'text-muted-foreground' : 'text-primary')} />
      <span className="grid min-w-0 grow gap-1">
        <span dir="auto" className={cn('wrap-anywhere [unicode-bidi:plaintext]', isRead ? undefined : 'font-semibold')}>
          {isRead ? null : <span className="sr-only">{t('notifications.unread')} </span>}
          {title}
        </span>
        {body ? (
          <span
            dir="auto"
            className="text-sm wrap-anywhere whitespace-pre-line text-muted-foreground [unicode-bidi:plaintext]"
          >
            {body}
          </span>
        ) : null}
        <TimeAgo iso={createdAt} className="text-sm text-muted-foreground" />
      </span>
      {isRead ? null : <span className="mt-2 size-2 shrink-0 rounded-full bg-primary" />}
    </>
  );
  if (url !== null)
    return (
      <Link to={url} onClick={handleOpen} className={cn(ROW, 'hover:bg-muted')}>
        {content}
      </Link>
    );
  if (isRead) return <div className={ROW}>{content}</div>;
  return (
    <button type="button" onClick={handleOpen} className={cn(ROW, 'hover:bg-muted')}>
      {content}
    </button>
  );
};
