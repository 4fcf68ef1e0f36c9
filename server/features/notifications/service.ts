import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { countUnreadNotifications, markAllRead, markRead, publishCounts } from './repository.ts';

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
