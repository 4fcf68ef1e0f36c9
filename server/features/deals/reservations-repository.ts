import { LIMITS } from '../../../contract/limits.ts';
import type { Trx } from '../../db/pools.ts';
import type { ReservationRow } from '../../db/rows.ts';

/**
 * Locks the reservation of an ad. One whose time is over has ended, even if its row is still there. Lock people, ad and
 * conversation before it.
 */
export const lockReservation = async (trx: Trx, adId: string): Promise<ReservationRow | undefined> => {
  await trx('reservations').where({ ad_id: adId }).forUpdate().first('ad_id');
  const { rows } = await trx.raw<{ rows: ReservationRow[] }>(
    'select * from reservations where ad_id = :adId and ends_at > now()',
    { adId },
  );
  return rows[0];
};

/**
 * Reserves the ad for a person from now on, in place of an earlier reservation. The caller has locked the ad and found
 * that it is not reserved for another person.
 */
export const reserve = async (
  trx: Trx,
  { adId, userId, offerId = null }: { adId: string; userId: string; offerId?: string | null },
): Promise<ReservationRow> => {
  const { rows } = await trx.raw<{ rows: ReservationRow[] }>(
    `insert into reservations (ad_id, user_id, offer_id, created_at, ends_at)
     values (:adId, :userId, :offerId, now(), now() + :days * interval '1 day')
     on conflict (ad_id) do update set
       user_id = excluded.user_id, offer_id = excluded.offer_id, created_at = excluded.created_at,
       ends_at = excluded.ends_at
     returning *`,
    { adId, userId, offerId, days: LIMITS.reservationDays },
  );
  return rows[0]!;
};

/** Ends the reservation of an ad. Returns it if its time was not over. */
export const release = async (trx: Trx, adId: string): Promise<ReservationRow | undefined> => {
  const { rows } = await trx.raw<{ rows: (ReservationRow & { is_over: boolean })[] }>(
    'delete from reservations where ad_id = :adId returning *, ends_at <= now() as is_over',
    { adId },
  );
  return rows[0]?.is_over === false ? rows[0] : undefined;
};
