import { expect, test } from 'vitest';
import { LIMITS } from '../../../../contract/limits.ts';
import type { ListFilter } from './filters.ts';
import { buildPageStatement } from './page-statement.ts';

const RANGE = { minPrice: '10', maxPrice: '900' };

/** Whether the total needs no second look at the ads. */
const isCountedOnce = (filter: ListFilter): boolean => {
  const { sql } = buildPageStatement(filter, 'newest', null, LIMITS.pageSize);
  return !sql.includes(`limit ${LIMITS.countCap + 1}) matches`);
};

test.each<[string, ListFilter]>([
  ['a price range', RANGE],
  ['a price range in a category', { ...RANGE, categoryId: 1 }],
])('%s is counted while it is read, also without sold ads', (_, filter) => {
  expect(isCountedOnce(filter)).toBe(true);
  expect(isCountedOnce({ ...filter, isUnsold: true })).toBe(true);
});

test('what no index has is counted by itself', () => {
  expect(isCountedOnce({ ...RANGE, conditions: ['new'] })).toBe(false);
  expect(isCountedOnce({ ...RANGE, hasPhotos: true })).toBe(false);
});
