import * as emailApi from '../../../contract/email.ts';
import type { Texts } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import * as settingsApi from '../../../contract/notification-settings.ts';
import type { Notification } from '../../../contract/notifications.ts';
import * as api from '../../../contract/notifications.ts';
import { route } from '../../endpoints/define.ts';
import { readTextsOf } from '../../lib/catalogs.ts';
import { withRenewal } from '../sessions/session-renewal.ts';
import { getEmail, pauseEmail, removeEmail, resendLink, setEmail, verifyEmail } from './addresses.ts';
import { readNews } from './news.ts';
import { sendNotice } from './notices.ts';
import { countUnreadNotifications, type NotificationRow } from './repository.ts';
import { listOwnNotifications, markAllNotificationsRead, markNotificationRead } from './service.ts';
import { changeNotificationSettings, changeSubscription, getSubscription } from './settings.ts';
import { readNotificationSettings } from './settings-repository.ts';

const presentNotification = (row: NotificationRow, texts: Texts): Notification => ({
  id: row.id,
  kind: row.kind,
  ...readNews(row, texts),
  url: row.url,
  isRead: row.is_read,
  createdAt: row.created_at,
});

export const notificationRoutes = [
  route(api.listNotifications, async ({ ctx, actor, language, query, reply }) => {
    const page = await listOwnNotifications(ctx, actor, { ...query, limit: query.limit ?? LIMITS.pageSize });
    reply.page(page);
    const texts = readTextsOf({ language, time_zone: actor.timeZone ?? null }, ctx.config);
    return page.rows.map((row) => presentNotification(row, texts));
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
    settingsApi.getNotificationSettings,
    async ({ ctx, actor }) => (await readNotificationSettings(ctx.db, [actor.id])).get(actor.id)!,
  ),

  route(settingsApi.updateNotificationSettings, ({ ctx, actor, body }) => changeNotificationSettings(ctx, actor, body)),

  route(settingsApi.getSubscription, ({ ctx, query }) => getSubscription(ctx, query.token)),

  route(settingsApi.changeSubscription, ({ ctx, body, request }) => {
    const { token, ...change } = body;
    return changeSubscription(ctx, token, change, { requestId: request.id });
  }),

  route(settingsApi.unsubscribeByOneClick, ({ ctx, query, request }) =>
    changeSubscription(ctx, query.token, { what: 'kind', isOn: false }, { requestId: request.id }),
  ),

  route(emailApi.getMyEmail, ({ ctx, actor }) => getEmail(ctx, actor)),

  route(emailApi.setMyEmail, ({ ctx, actor, body, request }) =>
    withRenewal(request, (change) => setEmail(ctx, actor, body.email, change)),
  ),

  route(emailApi.setMyEmailPaused, ({ ctx, actor, body, request }) =>
    withRenewal(request, (change) => pauseEmail(ctx, actor, body.isPaused, change)),
  ),

  route(emailApi.removeMyEmail, async ({ ctx, actor, request }) => {
    await withRenewal(request, (change) => removeEmail(ctx, actor, change));
  }),

  route(emailApi.verifyEmail, ({ ctx, actor, body, request }) =>
    withRenewal(request, (change) => verifyEmail(ctx, actor, body.token, change)),
  ),

  route(emailApi.resendEmailLink, async ({ ctx, body }) => ({ address: await resendLink(ctx, body.token) })),

  route(api.sendNotice, ({ actor, body, request, once }) =>
    once(async (ctx) => {
      const { userId: receiverId, ...text } = body;
      const { id } = await sendNotice(ctx, actor, { ...text, receiverId }, { requestId: request.id });
      return { id };
    }),
  ),
];
