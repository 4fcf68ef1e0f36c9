import type { BodyOf } from '../../../contract/endpoint.ts';
import {
  CHANNELS,
  type NotificationSettings,
  type updateNotificationSettings,
} from '../../../contract/notification-settings.ts';
import { NOTIFICATION_KINDS } from '../../../contract/notifications.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { countUnreadNotifications, markAllRead, markRead, publishCounts } from './repository.ts';
import { type ChannelSetting, readNotificationSettings, saveNotificationSettings } from './settings-repository.ts';

/** Marks one of the actor's notifications as read. Repeating it changes nothing. @throws {AppError} not_found */
export const markNotificationRead = ({ db }: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    const result = await markRead(trx, id, actor.id);
    if (result === 'not found') throw notFound('Notification not found');
    if (result === 'marked') await publishCounts(trx, [actor.id]);
  });

/** Marks the actor's notifications up to this id as read. Returns how many are unread now. */
export const markAllNotificationsRead = ({ db }: AppContext, actor: UserActor, upTo: string): Promise<number> =>
  inTransaction(db, async (trx) => {
    if ((await markAllRead(trx, actor.id, upTo)) > 0) await publishCounts(trx, [actor.id]);
    return (await countUnreadNotifications(trx, [actor.id])).get(actor.id) ?? 0;
  });

/** Changes the kinds and channels that the actor names. Returns all settings as they are now. */
export const changeNotificationSettings = (
  { db }: AppContext,
  actor: UserActor,
  changes: BodyOf<typeof updateNotificationSettings>,
): Promise<NotificationSettings> =>
  inTransaction(db, async (trx) => {
    await lockActiveActor(trx, actor);
    const named: ChannelSetting[] = NOTIFICATION_KINDS.flatMap((kind) =>
      CHANNELS.flatMap((channel) => {
        const isOn = changes[kind]?.[channel];
        return isOn === undefined ? [] : [{ kind, channel, isOn }];
      }),
    );
    await saveNotificationSettings(trx, actor.id, named);
    return (await readNotificationSettings(trx, [actor.id])).get(actor.id)!;
  });
