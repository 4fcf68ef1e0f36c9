import { expect, test } from 'vitest';
import type { RatingValue } from '../../../contract/ratings.ts';
import { countRatings } from './rating-figure.ts';

let id = 0;
const rate = (rater_id: string, day: number, value: RatingValue = 'good') => ({
  id: String(++id),
  rater_id,
  value,
  created_at: new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString(),
});

test('a person without ratings has an empty figure', () => {
  expect(countRatings([])).toEqual({ rated_deals: 0, rated_good: 0 });
});

test('each rater counts, and only good ratings are good', () => {
  const ratings = [rate('1', 0), rate('2', 0, 'neutral'), rate('3', 1, 'bad'), rate('4', 2)];
  expect(countRatings(ratings)).toEqual({ rated_deals: 4, rated_good: 2 });
});

test('of one rater within 90 days only the last rating counts', () => {
  const [first, last] = [rate('1', 0), rate('1', 90, 'bad')];
  expect(countRatings([first, last])).toEqual({ rated_deals: 1, rated_good: 0 });
  expect(countRatings([last, first]), 'in any order').toEqual({ rated_deals: 1, rated_good: 0 });
  expect(countRatings([first, { ...last, created_at: rate('1', 90.001).created_at }])).toMatchObject({
    rated_deals: 2,
  });
});

test('a rating that does not count does not replace an earlier one', () => {
  // day 60 is replaced by day 120, and day 0 is more than 90 days before day 120
  expect(countRatings([rate('1', 0), rate('1', 60, 'bad'), rate('1', 120)])).toEqual({ rated_deals: 2, rated_good: 2 });
});

test('of two ratings at the same instant the one with the higher id counts', () => {
  const [first, second] = [rate('1', 5), rate('1', 5, 'bad')];
  expect(countRatings([second, first])).toEqual({ rated_deals: 1, rated_good: 0 });
});
