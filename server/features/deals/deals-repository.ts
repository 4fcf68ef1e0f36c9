import type { Trx } from '../../db/pools.ts';
import type { DealRow } from '../../db/rows.ts';

export interface CurrentDeal extends DealRow {
  /** One of the two has rated it. */
  is_rated: boolean;
  /** The time to rate or undo it is over. */
  is_over: boolean;
}

/** The deal of an ad that is sold to a person now. Lock people, ad and conversation before it. */
export const lockCurrentDeal = async (trx: Trx, adId: string): Promise<CurrentDeal | undefined> => {
  const { rows } = await trx.raw<{ rows: CurrentDeal[] }>(
    `select d.*, d.ends_at <= now() as is_over, exists (select from ratings r where r.deal_id = d.id) as is_rated
     from deals d where d.ad_id = :adId and d.closed_at is null for update of d`,
    { adId },
  );
  return rows[0];
};
