import type { RatingRow } from '../../db/rows.ts';

const DAY_MS = 86_400_000;
const PAIR_DAYS = 90;

export interface RatingFigure {
  rated_deals: number;
  rated_good: number;
}

/**
 * The figure of a person from the public ratings about them, in any order. Of one rater, a rating does not count if a later
 * one that counts follows within 90 days.
 */
export const countRatings = (
  ratings: readonly Pick<RatingRow, 'id' | 'rater_id' | 'value' | 'created_at'>[],
): RatingFigure => {
  const newestFirst = ratings
    .map((rating) => ({ ...rating, at: Date.parse(rating.created_at) }))
    .sort((a, b) => b.at - a.at || Number(b.id) - Number(a.id));
  const lastCounted = new Map<string, number>();
  const figure = { rated_deals: 0, rated_good: 0 };
  for (const { rater_id, value, at } of newestFirst) {
    const next = lastCounted.get(rater_id);
    if (next !== undefined && next - at <= PAIR_DAYS * DAY_MS) continue;
    lastCounted.set(rater_id, at);
    figure.rated_deals++;
    if (value === 'good') figure.rated_good++;
  }
  return figure;
};
