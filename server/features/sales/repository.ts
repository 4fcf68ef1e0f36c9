import { type Page, type Paging, queryPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { AdRow, ReservationRow, UserRow } from '../../db/rows.ts';
import { isSetAside } from '../../db/set-aside.ts';
import { selectBlocked, selectShutOut } from '../users/repository.ts';

/** The people who wrote about an ad, newest message first. A block keeps its two people apart here, too. */
export const listBuyers = (
  db: Db,
  { id: adId, user_id: sellerId }: Pick<AdRow, 'id' | 'user_id'>,
  paging: Paging,
): Promise<Page<UserRow & { last_message_id: string }>> => {
  const sql = `select u.*, c.last_message_id from conversations c join users u on u.id = c.buyer_id
    where c.ad_id = :adId and c.seller_id = :sellerId and c.message_count > 0 and u.deleted_at is null
      and not ${selectBlocked('c.seller_id', 'u.id')}`;
  return queryPage(db, [sql, { adId, sellerId }], paging, { column: 'c.last_message_id', key: 'last_message_id' });
};

const INFORMED_DAYS = 30;

/** The next people, in order of id, who wrote about the ad in the last days, apart from those who are shut out now. */
export const listRecentWriters = (db: Db, adId: string, afterId: string, limit: number): Promise<string[]> =>
  db('conversations as c')
    .join('users as u', 'u.id', 'c.buyer_id')
    .where('c.ad_id', adId)
    .where('c.buyer_id', '>', afterId)
    .whereExists(
      db('messages as m')
        .whereRaw('m.conversation_id = c.id and m.sender_id = c.buyer_id')
        .whereRaw(`m.created_at > now() - interval '${INFORMED_DAYS} days'`)
        .select(db.raw('1')),
    )
    .whereRaw(`not ${selectShutOut('u')}`)
    .orderBy('c.buyer_id')
    .limit(limit)
    .pluck('c.buyer_id');

/** Those of the users, who wrote about the ad, that have been notified of its sale since then, or within a day. */
export const listInformed = (
  trx: Trx,
  userIds: readonly string[],
  { url, soldAt }: { url: string; soldAt: string },
): Promise<string[]> =>
  trx('notifications')
    .whereRaw('user_id = any(?::bigint[])', [[...userIds]])
    .where({ kind: 'deal', url })
    .whereRaw("created_at >= least(?::timestamptz, now() - interval '1 day')", [soldAt])
    .distinct()
    .pluck('user_id');

/** Reservations past their time, the longest first. */
export const listEndedReservations = (db: Db, limit: number): Promise<ReservationRow[]> =>
  db<ReservationRow>('reservations')
    .where('ends_at', '<=', db.raw('now()'))
    .whereRaw(`not ${isSetAside('end-reservations', 'reservations.ad_id')}`)
    .orderBy('ends_at')
    .limit(limit);

/** Deletes the reservation if it is this one and its time is over. Returns whether it was. */
export const deleteEndedReservation = async (trx: Trx, { ad_id, user_id }: ReservationRow): Promise<boolean> =>
  (await trx('reservations').where({ ad_id, user_id }).where('ends_at', '<=', trx.raw('now()')).delete()) === 1;
