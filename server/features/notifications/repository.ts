import type { NotificationKind } from '../../../contract/notifications.ts';
import type { Trx } from '../../db/pools.ts';

export interface NewNotification {
  userId: string;
  kind: NotificationKind;
  title: string;
  body?: string;
  /** Path of the page that the notification leads to. */
  url?: string;
}

/** Notifies users in the transaction that causes it: the notifications exist if, and only if, that commits. */
export const insertNotifications = async (trx: Trx, notifications: readonly NewNotification[]): Promise<void> => {
  if (notifications.length === 0) return;
  await trx('notifications').insert(
    notifications.map(({ userId, kind, title, body = '', url = null }) => ({
      user_id: userId,
      kind,
      title,
      body,
      url,
    })),
  );
};
