import { expect, test } from 'vitest';
import { formatTick, hasLabel } from './day-chart.tsx';

test('the days of a chart show their year if it is another', () => {
  const now = new Date(2026, 0, 5);
  expect(['2026-01-04', '2025-12-30'].map((day) => formatTick(day, 'day', now))).toEqual(['Jan 4', 'Dec 30, 2025']);
  expect(['2026-01-04', '2025-12-30'].map((day) => formatTick(day, 'month', now))).toEqual(['Jan', 'Dec 2025']);
});

test('the last day of a chart has a label, and three others at most', () => {
  for (const count of [1, 2, 3, 4, 5, 7, 30, 31, 90, 365]) {
    const labelled = Array.from({ length: count }, (_, index) => index).filter((index) => hasLabel(index, count));
    expect(labelled.at(-1)).toBe(count - 1);
    expect(labelled.length).toBeLessThanOrEqual(4);
    expect(labelled.length).toBeGreaterThanOrEqual(Math.min(count, 3));
  }
});
