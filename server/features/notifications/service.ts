import type { AppContext } from '../../app-context.ts';
import type { Page, Paging } from '../../db/pagination.ts';
import { inTransaction } from '../../db/transaction.ts';
import { notFound } from '../../errors.ts';
import { maySeeAd, type UserActor } from '../../policy.ts';
import {
  countUnreadNotifications,
  listNotifications,
  markAllRead,
  markRead,
  type NotificationRow,
  publishCounts,
} from './repository.ts';

/**
 * A page of the actor's notifications. One about an ad or a profile that the actor may not see now has its text, but no
 * link.
 */
export const listOwnNotifications = async (
  { db }: AppContext,
  actor: UserActor,
  paging: Paging,
): Promise<Page<NotificationRow>> => {
  const { rows, nextCursor } = await listNotifications(db, actor.id, paging);
  return {
    nextCursor,
    rows: rows.map(({ closed_profile, leads_to_ad, ad, ...row }) => {
      const isClosed = closed_profile !== null && row.url?.split('#')[0] === closed_profile;
      const isHidden = leads_to_ad && !(ad && maySeeAd(actor, ad));
      return isClosed || isHidden ? { ...row, url: null } : row;
    }),
  };
};

/** Marks one of the actor's notifications as read. Repeating it changes nothing. @throws {AppError} not_found */
export const markNotificationRead = ({ db }: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(db, async (trx) => {
    const result = await markRead(trx, id, actor.id);
    if (result === 'not found') throw notFound('errors.notificationNotFound');
    if (result === 'marked') await publishCounts(trx, [actor.id]);
  });

/** Marks the actor's notifications up to this id as read. Returns how many are unread now. */
export const markAllNotificationsRead = ({ db }: AppContext, actor: UserActor, upTo: string): Promise<number> =>
  inTransaction(db, async (trx) => {
    if ((await markAllRead(trx, actor.id, upTo)) > 0) await publishCounts(trx, [actor.id]);
    return (await countUnreadNotifications(trx, [actor.id])).get(actor.id) ?? 0;
  });
