import { LIMITS } from '../../../contract/limits.ts';
import { getNotificationSettings, updateNotificationSettings } from '../../../contract/notification-settings.ts';
import type { Notification } from '../../../contract/notifications.ts';
import * as api from '../../../contract/notifications.ts';
import { route } from '../../http/endpoints/define.ts';
import { sendNotice } from './notices.ts';
import { countUnreadNotifications, listNotifications, type NotificationRow } from './repository.ts';
import { changeNotificationSettings, markAllNotificationsRead, markNotificationRead } from './service.ts';
import { readNotificationSettings } from './settings-repository.ts';

const presentNotification = ({ id, kind, title, body, url, is_read, created_at }: NotificationRow): Notification => ({
  id,
  kind,
  title,
  body,
  url,
  isRead: is_read,
  createdAt: created_at,
});

export const notificationRoutes = [
  route(api.listNotifications, async ({ ctx, actor, query, reply }) => {
    const { rows, nextCursor } = await listNotifications(ctx.db, actor.id, {
      cursor: query.cursor,
      limit: query.limit ?? LIMITS.pageSize,
    });
    reply.page({ nextCursor });
    return rows.map(presentNotification);
  }),

  route(api.getUnreadNotificationCount, async ({ ctx, actor }) => ({
    unreadCount: (await countUnreadNotifications(ctx.db, [actor.id])).get(actor.id) ?? 0,
  })),

  route(api.markNotificationRead, async ({ ctx, actor, params }) => {
    await markNotificationRead(ctx, actor, params.id);
    return { id: params.id, isRead: true as const };
  }),

  route(api.markAllNotificationsRead, async ({ ctx, actor, body }) => ({
    unreadCount: await markAllNotificationsRead(ctx, actor, body.upTo),
  })),

  route(
    getNotificationSettings,
    async ({ ctx, actor }) => (await readNotificationSettings(ctx.db, [actor.id])).get(actor.id)!,
  ),

  route(updateNotificationSettings, ({ ctx, actor, body }) => changeNotificationSettings(ctx, actor, body)),

  route(api.sendNotice, ({ actor, body, request, once }) =>
    once(async (ctx) => {
      const { userId: receiverId, ...text } = body;
      const { id } = await sendNotice(ctx, actor, { ...text, receiverId }, { requestId: request.id });
      return { id };
    }),
  ),
];
