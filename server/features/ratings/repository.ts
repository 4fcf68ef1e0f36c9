import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { DealRow, RatingRow } from '../../db/rows.ts';
import { isSetAside } from '../../db/set-aside.ts';
import { IS_PUBLIC_RATING, updateRatingFigures } from '../deals/rating-figures-repository.ts';

/** A rating with what depends on its deal and on the time. */
export interface RatingDetails extends RatingRow {
  ad_id: string;
  /** Null: the ad was deleted. */
  ad_title: string | null;
  /** What the rater was in the deal. */
  role: 'seller' | 'buyer';
  is_public: boolean;
}

/** `select … from ratings r join deals d … join ads a …` as RatingDetails. */
const selectRatings = (db: Db) =>
  db('ratings as r')
    .join('deals as d', 'd.id', 'r.deal_id')
    .join('ads as a', 'a.id', 'd.ad_id')
    .select<RatingDetails[]>(
      'r.*',
      'd.ad_id',
      db.raw("case when a.state <> 'deleted' then a.title end as ad_title"),
      db.raw("case when r.rater_id = d.seller_id then 'seller' else 'buyer' end as role"),
      db.raw(`${IS_PUBLIC_RATING} as is_public`),
    );

/** The public ratings of a person, newest first. */
export const listPublicRatings = (db: Db, userId: string, paging: Paging): Promise<Page<RatingDetails>> =>
  readPage(selectRatings(db).where('r.rated_id', userId).whereRaw(IS_PUBLIC_RATING), paging, { column: 'r.id' });

/** The ratings of these deals, public or not: at most two of each. */
export const listRatingsOfDeals = (db: Db, dealIds: readonly string[]): Promise<RatingDetails[]> =>
  selectRatings(db).whereRaw('r.deal_id = any(?::bigint[])', [[...dealIds]]);

export const findRating = (db: Db, id: string): Promise<RatingDetails | undefined> =>
  selectRatings(db).where('r.id', id).first();

/** Locks the rating. Lock users and the deal before. */
export const lockRating = async (trx: Trx, id: string): Promise<RatingDetails | undefined> => {
  const locked = await trx('ratings').where({ id }).forUpdate().first('id');
  return locked && findRating(trx, id);
};

export const insertRating = async (
  trx: Trx,
  rating: Pick<RatingRow, 'deal_id' | 'rater_id' | 'rated_id' | 'value' | 'tags' | 'text'>,
): Promise<string> => {
  const [row] = await trx('ratings').insert(rating).returning<{ id: string }[]>('id');
  return row!.id;
};

/** Makes the hidden ratings of a deal public. Returns those that were hidden. */
export const revealRatings = (trx: Trx, dealId: string): Promise<RatingRow[]> =>
  trx<RatingRow>('ratings')
    .where({ deal_id: dealId })
    .whereNull('revealed_at')
    .update('revealed_at', trx.raw('now()'))
    .returning('*');

/** Deals whose time is over and whose ratings are not marked as public yet, the oldest first. */
export const listDealsToReveal = (db: Db, limit: number): Promise<DealRow[]> =>
  db<DealRow>('deals as d')
    .where('d.ends_at', '<=', db.raw('now()'))
    .whereExists(db('ratings as r').whereRaw('r.deal_id = d.id and r.revealed_at is null').select(db.raw('1')))
    .whereRaw(`not ${isSetAside('reveal-ratings', 'd.id')}`)
    .orderBy('d.ends_at')
    .limit(limit)
    .select('d.*');

/** Takes a locked rating out of public view and out of the figure, or gives it back. */
export const setRemoved = async (
  trx: Trx,
  { id, rated_id }: Pick<RatingRow, 'id' | 'rated_id'>,
  isRemoved: boolean,
): Promise<void> => {
  await trx('ratings')
    .where({ id })
    .update({ removed_at: isRemoved ? trx.raw('now()') : null });
  await updateRatingFigures(trx, [rated_id]);
};

export const insertReply = async (trx: Trx, id: string, reply: string): Promise<void> => {
  await trx('ratings')
    .where({ id })
    .update({ reply, replied_at: trx.raw('now()') });
};
