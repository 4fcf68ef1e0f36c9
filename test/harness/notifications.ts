import type { NotificationKind } from '../../contract/notifications.ts';
import type { Trx } from '../../server/db/pools.ts';
import { insertNotifications, type NewNotification } from '../../server/features/notifications/repository.ts';

export interface WordedNotification {
  userId: string;
  kind: NotificationKind;
  title: string;
  body?: string;
  url?: string;
  sourceUserId?: string;
}

/** Notifications of any kind in finished words, as those of before are, for tests that are about something else. */
export const insertWorded = (trx: Trx, notifications: readonly WordedNotification[]): Promise<void> =>
  insertNotifications(
    trx,
    notifications.map((one) => ({ body: '', ...one }) as NewNotification),
  );
