// What a sale, a deletion, a block or a ban ends for good: open offers and reservations.
import { publish } from '../../db/events.ts';
import type { Trx } from '../../db/pools.ts';
import type { OfferRow } from '../../db/rows.ts';

/** Of these ads, of one person, or between two people. */
export type Ended = { adIds: readonly string[] } | { userId: string } | { between: readonly [string, string] };

type ChangedOffer = Pick<OfferRow, 'message_id' | 'ad_id' | 'maker_id' | 'receiver_id'>;

interface Conditions {
  offers: string;
  reservations: string;
  bindings: Record<string, string | readonly string[]>;
}

const toConditions = (ended: Ended): Conditions => {
  if ('adIds' in ended)
    return {
      offers: 'ad_id = any(:adIds::bigint[])',
      reservations: 'ad_id = any(:adIds::bigint[])',
      bindings: { adIds: [...ended.adIds] },
    };
  if ('userId' in ended)
    return {
      offers: '(maker_id = :userId or receiver_id = :userId)',
      reservations: `ad_id in (select ad_id from reservations where user_id = :userId
        union all select id from ads where user_id = :userId)`,
      bindings: { userId: ended.userId },
    };
  const [one, other] = ended.between;
  return {
    offers: '(maker_id, receiver_id) in ((:one, :other), (:other, :one))',
    reservations: `user_id in (:one, :other) and (user_id, (select a.user_id from ads a where a.id = ad_id)) in
      ((:one, :other), (:other, :one))`,
    bindings: { one, other },
  };
};

/**
 * Makes open offers void and ends reservations. The caller has locked the ads or the people, as for every change of
 * these. Open conversations show it at once; no one gets a notification.
 */
export const endOffersAndReservations = async (trx: Trx, ended: Ended): Promise<void> => {
  const { offers, reservations, bindings } = toConditions(ended);
  const { rows } = await trx.raw<{ rows: ChangedOffer[] }>(
    `with locked as (select id from offers where status = 'open' and ${offers} order by id for update)
     update offers o set status = case when expires_at <= now() then 'expired' else 'void' end,
       -- this transaction may have begun before the one that made the offer
       settled_at = greatest(now(), created_at)
     from locked where o.id = locked.id returning message_id, ad_id, maker_id, receiver_id`,
    bindings,
  );
  await trx.raw(
    `delete from reservations where ad_id in (
       select ad_id from reservations where ${reservations} order by ad_id for update)`,
    bindings,
  );
  await Promise.all(rows.map((offer) => publishOffer(trx, offer)));
};

/** Has the open conversations of both people show the message of an offer that changed. */
export const publishOffer = (
  trx: Trx,
  { message_id: id, ad_id: adId, maker_id: senderId, receiver_id: receiverId }: ChangedOffer,
): Promise<void> => publish(trx, 'messages', { receiverId, senderId, adId, id });

/** Has the open conversation of the two read the reservation or the deal again. */
export const publishDeal = (
  trx: Trx,
  { adId, sellerId, buyerId }: { adId: string; sellerId: string; buyerId: string },
): Promise<void> => publish(trx, 'messages', { receiverId: buyerId, senderId: sellerId, adId });
