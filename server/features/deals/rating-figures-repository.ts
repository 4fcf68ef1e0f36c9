import type { Db, Trx } from '../../db/pools.ts';
import type { RatingRow, UserRow } from '../../db/rows.ts';
import { countRatings } from './rating-figure.ts';

/** Whether everyone may read a rating: r is the row of ratings, d the one of its deal. */
export const IS_PUBLIC_RATING = '(r.removed_at is null and (r.revealed_at is not null or d.ends_at <= now()))';

const listPublicRatings = (db: Db, userId: string) =>
  db('ratings as r')
    .join('deals as d', 'd.id', 'r.deal_id')
    .where('r.rated_id', userId)
    .whereRaw(IS_PUBLIC_RATING)
    .select<Pick<RatingRow, 'id' | 'rater_id' | 'value' | 'created_at'>[]>(
      'r.id',
      'r.rater_id',
      'r.value',
      'r.created_at',
    );

/**
 * Brings the figures of these users (rated_deals, rated_good) in line with the public ratings about them, after the
 * transaction revealed, removed, restored or deleted ratings. Locks the users in order of id; a caller that locks anything
 * before must have locked them first.
 */
export const updateRatingFigures = async (trx: Trx, userIds: readonly string[]): Promise<void> => {
  const users = await trx<UserRow>('users').whereIn('id', userIds).orderBy('id').forNoKeyUpdate();
  for (const { id, rated_deals, rated_good } of users) {
    // after the lock, so that the ratings of the transaction before are seen
    const figure = countRatings(await listPublicRatings(trx, id));
    if (figure.rated_deals !== rated_deals || figure.rated_good !== rated_good)
      await trx('users').where({ id }).update(figure);
  }
};
