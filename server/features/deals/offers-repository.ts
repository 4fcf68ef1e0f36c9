import { LIMITS } from '../../../contract/limits.ts';
import type { OfferStatus } from '../../../contract/messages.ts';
import { type Page, type Paging, queryPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { ConversationRow, OfferRow } from '../../db/rows.ts';

/** Time itself ends an offer, even if the job that writes that is late. */
export const STATUS_BY_TIME =
  "case when status = 'open' and expires_at <= now() then 'expired' else status end as status";

const COLUMNS = `id, message_id, conversation_id, ad_id, maker_id, receiver_id, amount, ${STATUS_BY_TIME},
  created_at, expires_at, settled_at`;

export const findOffer = async (db: Db, id: string): Promise<OfferRow | undefined> => {
  const { rows } = await db.raw<{ rows: OfferRow[] }>(`select ${COLUMNS} from offers where id = :id`, { id });
  return rows[0];
};

export const listOffersOfMessages = (db: Db, messageIds: readonly string[]): Promise<OfferRow[]> =>
  messageIds.length === 0
    ? Promise.resolve([])
    : queryPrepared(db, `select ${COLUMNS} from offers where message_id = any(:messageIds::bigint[])`, { messageIds });

export const findNewestOffer = async (db: Db, conversationId: string): Promise<OfferRow | undefined> => {
  const { rows } = await db.raw<{ rows: OfferRow[] }>(
    `select ${COLUMNS} from offers where conversation_id = :conversationId order by id desc limit 1`,
    { conversationId },
  );
  return rows[0];
};

/** The amount that the two of a conversation agreed on, while the ad is reserved for its buyer by that, or sold to them. */
export const findAgreedPrice = async (db: Db, conversationId: string): Promise<string | null> => {
  const { rows } = await db.raw<{ rows: Pick<OfferRow, 'amount'>[] }>(
    `select o.amount from offers o join conversations c on c.id = o.conversation_id
     where o.conversation_id = :conversationId and o.status = 'accepted' and (
       exists (select from reservations r where r.offer_id = o.id and r.user_id = c.buyer_id and r.ends_at > now())
       or exists (select from deals d where d.ad_id = o.ad_id and d.buyer_id = c.buyer_id and d.closed_at is null))
     order by o.id desc limit 1`,
    { conversationId },
  );
  return rows[0]?.amount ?? null;
};

/** The conversations of a buyer with an offer or a reservation for them, whose ad is not sold to them; newest message first. */
export const listNegotiations = (db: Db, buyerId: string, paging: Paging): Promise<Page<ConversationRow>> => {
  const sql = `select c.* from conversations c where c.buyer_id = :buyerId
    and (exists (select from offers o where o.conversation_id = c.id)
      or exists (select from reservations r where r.ad_id = c.ad_id and r.user_id = c.buyer_id and r.ends_at > now()))
    and not exists (select from deals d where d.ad_id = c.ad_id and d.buyer_id = c.buyer_id and d.closed_at is null)`;
  return queryPage(db, [sql, { buyerId }], paging, { column: 'c.last_message_id', key: 'last_message_id' });
};

/** Of each of these conversations that has one. */
export const listNewestOffers = async (db: Db, conversationIds: readonly string[]): Promise<OfferRow[]> => {
  const { rows } = await db.raw<{ rows: OfferRow[] }>(
    `select distinct on (conversation_id) ${COLUMNS} from offers where conversation_id = any(:ids::bigint[])
     order by conversation_id, id desc`,
    { ids: [...conversationIds] },
  );
  return rows;
};

/** Locks the newest offer of a conversation, or the one with this id. Lock people, ad and conversation before it. */
export const lockOffer = async (
  trx: Trx,
  conversationId: string,
  id: string | undefined,
): Promise<OfferRow | undefined> => {
  const { rows } = await trx.raw<{ rows: OfferRow[] }>(
    `select ${COLUMNS} from offers where conversation_id = :conversationId and (:id::bigint is null or id = :id)
     order by id desc limit 1 for update`,
    { conversationId, id: id ?? null },
  );
  return rows[0];
};

/** Adds an open offer, whose message is there already. Expired ones of the conversation are settled before. */
export const insertOffer = async (
  trx: Trx,
  offer: Pick<OfferRow, 'message_id' | 'conversation_id' | 'ad_id' | 'maker_id' | 'receiver_id' | 'amount'>,
): Promise<OfferRow> => {
  const { rows } = await trx.raw<{ rows: OfferRow[] }>(
    `insert into offers (message_id, conversation_id, ad_id, maker_id, receiver_id, amount, created_at, expires_at)
     values (:message_id, :conversation_id, :ad_id, :maker_id, :receiver_id, :amount, now(),
       now() + :hours * interval '1 hour')
     returning ${COLUMNS}`,
    { ...offer, hours: LIMITS.offerHours },
  );
  return rows[0]!;
};

/** Ends an open offer, which the caller has locked. */
export const settleOffer = async (trx: Trx, id: string, status: Exclude<OfferStatus, 'open'>): Promise<void> => {
  await trx('offers')
    .where({ id, status: 'open' })
    .update({ status, settled_at: trx.raw('now()') });
};

/** Writes that open offers past their time have expired: those of a conversation, or those with these ids. */
export const settleExpiredOffers = async (
  trx: Trx,
  { conversationId, ids }: { conversationId?: string; ids?: readonly string[] },
): Promise<OfferRow[]> => {
  const { rows } = await trx.raw<{ rows: OfferRow[] }>(
    `update offers set status = 'expired', settled_at = now()
     where status = 'open' and expires_at <= now()
       and (conversation_id = :conversationId::bigint or id = any(:ids::bigint[]))
     returning ${COLUMNS}`,
    { conversationId: conversationId ?? null, ids: [...(ids ?? [])] },
  );
  return rows;
};

/** Open offers past their time, the longest first. */
export const listExpiredOffers = async (db: Db, limit: number): Promise<OfferRow[]> => {
  const { rows } = await db.raw<{ rows: OfferRow[] }>(
    `select ${COLUMNS} from offers where status = 'open' and expires_at <= now() order by expires_at limit :limit`,
    { limit },
  );
  return rows;
};
