import { LIMITS } from '../../../contract/limits.ts';
import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { DealRow } from '../../db/rows.ts';

export interface CurrentDeal extends DealRow {
  /** One of the two has rated it. */
  is_rated: boolean;
  /** The time to rate or undo it is over. */
  is_over: boolean;
}

const lock = async (trx: Trx, condition: string, value: string): Promise<CurrentDeal | undefined> => {
  const { rows } = await trx.raw<{ rows: Omit<CurrentDeal, 'is_rated'>[] }>(
    `select *, ends_at <= now() as is_over from deals where ${condition} for update`,
    { value },
  );
  const [deal] = rows;
  // after the lock, so that a rating of the transaction before is seen
  return deal && { ...deal, is_rated: (await trx('ratings').where({ deal_id: deal.id }).first('id')) !== undefined };
};

/** The deal of an ad that is sold to a person now. Lock people, ad and conversation before it. */
export const lockCurrentDeal = (trx: Trx, adId: string): Promise<CurrentDeal | undefined> =>
  lock(trx, 'ad_id = :value and closed_at is null', adId);

/** Like lockCurrentDeal, by its own id: also a deal whose ad is on the market again. */
export const lockDealById = (trx: Trx, id: string): Promise<CurrentDeal | undefined> => lock(trx, 'id = :value', id);

/** Records the sale of an ad that has no current deal. Both people may rate it for LIMITS.ratingDays. */
export const insertDeal = async (trx: Trx, deal: Pick<DealRow, 'ad_id' | 'seller_id' | 'buyer_id'>): Promise<void> => {
  await trx.raw(
    `insert into deals (ad_id, seller_id, buyer_id, created_at, ends_at)
     values (:ad_id, :seller_id, :buyer_id, now(), now() + :days * interval '1 day')`,
    { ...deal, days: LIMITS.ratingDays },
  );
};

export const findDeal = (db: Db, id: string): Promise<DealRow | undefined> =>
  db<DealRow>('deals').where({ id }).first();

/** The deals of ads that are sold to a person now. */
export const listCurrentDeals = (db: Db, adIds: readonly string[]): Promise<DealRow[]> =>
  db<DealRow>('deals')
    .whereRaw('ad_id = any(?::bigint[])', [[...adIds]])
    .whereNull('closed_at');

/** The newest deal about an ad between whose two people this user is. */
export const findNewestDeal = (db: Db, adId: string, userId: string): Promise<DealRow | undefined> =>
  db<DealRow>('deals')
    .where({ ad_id: adId })
    .whereRaw('? in (seller_id, buyer_id)', [userId])
    .orderBy('id', 'desc')
    .first();

export const findNewestDealBetween = (
  db: Db,
  { ad_id, seller_id, buyer_id }: Pick<DealRow, 'ad_id' | 'seller_id' | 'buyer_id'>,
): Promise<DealRow | undefined> =>
  db<DealRow>('deals').where({ ad_id, seller_id, buyer_id }).orderBy('id', 'desc').first();

/** What a user sold or bought, newest first. */
export const listDeals = (db: Db, userId: string, role: 'seller' | 'buyer', paging: Paging): Promise<Page<DealRow>> =>
  readPage(db('deals').where({ [`${role}_id`]: userId }), paging);

/** Keeps the deal and its ratings, while its ad is on the market again. */
export const closeDeal = async (trx: Trx, id: string): Promise<void> => {
  await trx('deals')
    .where({ id })
    .update({ closed_at: trx.raw('now()') });
};

/** Deletes a deal that nobody has rated. @throws {Error} if somebody has: ratings stay */
export const deleteDeal = async (trx: Trx, id: string): Promise<void> => {
  const deleted = await trx('deals')
    .where({ id })
    .whereNotExists(trx('ratings').where({ deal_id: id }))
    .delete();
  if (deleted === 0) throw new Error(`The deal ${id} has ratings`);
};
