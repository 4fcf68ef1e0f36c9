import type { Db, Trx } from '../../db/connect.ts';
import { type Page, parseCursor, toPage } from '../../db/paginate.ts';
import { queryPrepared } from '../../db/prepared.ts';
import type { AdRow } from '../../db/tables.ts';
import { type AdDetails, SELECT_ADS } from './select-store.ts';

/** One ad with seller, category and pictures; deleted ones too. */
export const findAd = async (db: Db, id: string): Promise<AdDetails | undefined> => {
  const [ad] = await queryPrepared<AdDetails>(db, `${SELECT_ADS} where a.id = :id`, { id });
  return ad;
};

/** Several ads by id, in no order. */
export const listAdsByIds = async (db: Db, ids: readonly string[]): Promise<AdDetails[]> => {
  if (ids.length === 0) return [];
  return queryPrepared(db, `${SELECT_ADS} where a.id = any(:ids::bigint[])`, { ids });
};

export interface SellerAdsFilter {
  /** Hidden ads too: for the seller and administrators. */
  isPrivate: boolean;
  isSold?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
}

/**
 * A seller's ads, newest first. Public ones are those whose page anybody may open (policy.maySeeAd): sold ones stay after
 * they have left the lists.
 */
export const listSellerAds = async (
  db: Db,
  userId: string,
  { isPrivate, isSold, cursor, limit }: SellerAdsFilter,
): Promise<Page<AdDetails>> => {
  const before = parseCursor(cursor);
  const { rows } = await db.raw<{ rows: AdDetails[] }>(
    `${SELECT_ADS} where a.user_id = :userId and a.state <> 'deleted'
       ${isPrivate ? '' : "and a.state = 'active' and not a.seller_banned"}
       ${isSold === undefined ? '' : 'and a.is_sold = :isSold'} ${before === null ? '' : 'and a.id < :before'}
     order by a.id desc limit :limit`,
    { userId, isSold: isSold ?? false, before: before ?? 0, limit: limit + 1 },
  );
  return toPage(rows, limit, (row) => row.id);
};

/** The ad, locked until the transaction ends, so that what is decided about it still holds when it is written. */
export const lockAd = (trx: Trx, id: string): Promise<AdRow | undefined> =>
  trx<AdRow>('ads').where({ id }).forUpdate().first();

/** The ad, held against edits until the transaction ends; others may hold it too. */
export const holdAd = (trx: Trx, id: string): Promise<AdRow | undefined> =>
  trx<AdRow>('ads').where({ id }).forShare().first();

type AdValues = Partial<Omit<AdRow, 'id' | 'listed'>>;

/** Days from now by the database's clock; null for never. */
export const inDays = (trx: Trx, days: number | null) =>
  days === null ? null : trx.raw("now() + ? * interval '1 day'", [days]);

/** The state of an unsold ad that comes back into view: it may have expired meanwhile. */
export const stateByTime = (trx: Trx) =>
  trx.raw("case when state = 'active' and expires_at <= now() then 'expired' else state end");

/** Inserts an ad and returns its id. A trigger sets `listed`. */
export const insertAd = async (trx: Trx, values: Record<string, unknown>): Promise<string> => {
  const [row] = await trx('ads').insert(values).returning<{ id: string }[]>('id');
  return row!.id;
};

/** Writes an ad that belongs to this owner and is not deleted; says whether there was one. */
export const updateOwnAd = async (
  trx: Trx,
  id: string,
  ownerId: string,
  values: { [K in keyof AdValues]: unknown },
): Promise<boolean> => {
  const changed = await trx('ads')
    .where({ id, user_id: ownerId })
    .whereNot({ state: 'deleted' })
    .update({ ...values, updated_at: trx.fn.now() });
  return changed === 1;
};

/** How many of a seller's ads an administrator approved. */
export const countApprovedAds = async (db: Db, userId: string): Promise<number> => {
  const [row] = await db('ads')
    .where({ user_id: userId, is_approved: true })
    .whereNot({ state: 'deleted' })
    .count<{ count: string }[]>('id');
  return Number(row?.count ?? 0);
};
