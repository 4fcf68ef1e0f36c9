import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { Id, IdParams, PageQuery, Timestamp } from './scalars.ts';
import { text } from './text.ts';

/**
 * What a notification is about, and whether one event of the kind concerns one person or many at once: mail and push to
 * many let those to one go first.
 */
const AUDIENCES = {
  message: 'one',
  ad_approved: 'one',
  ad_rejected: 'one',
  ad_held: 'one',
  ad_expiring: 'one',
  ad_expired: 'one',
  price_drop: 'many',
  search_match: 'many',
  seller_new_ad: 'many',
  offer: 'one',
  reservation: 'one',
  deal: 'one',
  rating: 'one',
  report_outcome: 'one',
  decision: 'one',
  notice: 'one',
} as const satisfies Record<string, 'one' | 'many'>;
export type NotificationKind = keyof typeof AUDIENCES;
export const NOTIFICATION_KINDS = Object.keys(AUDIENCES) as [NotificationKind, ...NotificationKind[]];

export const isToMany = (kind: NotificationKind): boolean => AUDIENCES[kind] === 'many';

export const Notification = z.object({
  id: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  title: z.string(),
  body: z.string(),
  /** Path of the page that the notification leads to. */
  url: z.nullable(z.string()),
  isRead: z.boolean(),
  createdAt: Timestamp,
});
export type Notification = z.output<typeof Notification>;

export const listNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: `Notifications of the last ${LIMITS.notificationDays} days, newest first`,
  access: 'user',
  scope: 'profile:read',
  query: PageQuery,
  reply: z.array(Notification),
  paged: true,
  tags: ['notifications'],
});

export const getUnreadNotificationCount = endpoint({
  method: 'GET',
  path: '/api/notifications/unread-count',
  summary: 'How many notifications are unread',
  access: 'user',
  scope: 'profile:read',
  reply: z.object({ unreadCount: z.number() }),
  tags: ['unreadNotifications'],
});

export const markNotificationRead = endpoint({
  method: 'PUT',
  path: '/api/notifications/:id/read',
  summary: 'Marks one notification as read',
  access: 'user',
  scope: 'profile:write',
  params: IdParams,
  reply: z.object({ id: z.string(), isRead: z.literal(true) }),
  invalidates: ['notifications', 'unreadNotifications'],
});

export const markAllNotificationsRead = endpoint({
  method: 'PUT',
  path: '/api/notifications/read',
  summary: 'Marks all notifications as read, up to the given one',
  access: 'user',
  scope: 'profile:write',
  /** The newest notification that the user has seen, so that one that arrives meanwhile stays unread. */
  body: z.object({ upTo: Id }),
  reply: z.object({ unreadCount: z.number() }),
  invalidates: ['notifications', 'unreadNotifications'],
});

export const sendNotice = endpoint({
  method: 'POST',
  path: '/api/admin/notices',
  summary: 'Sends a notice to one person, or to everyone who is not banned at that moment',
  access: 'admin',
  scope: 'session',
  body: z.object({
    userId: z.optional(Id),
    title: text({ max: LIMITS.noticeTitle, required: 'fields.titleRequired' }),
    body: text({ max: LIMITS.noticeBody, required: 'fields.textRequired', multiline: true }),
  }),
  reply: z.object({ id: z.string() }),
  status: 202,
  idempotent: true,
  invalidates: ['notifications', 'unreadNotifications'],
});
