import { expect, test } from 'vitest';
import { formatTick } from './day-chart.tsx';

test('the days of a chart show their year if it is another', () => {
  const now = new Date(2026, 0, 5);
  expect(['2026-01-04', '2025-12-30'].map((day) => formatTick(day, 'day', now))).toEqual(['Jan 4', 'Dec 30, 2025']);
  expect(['2026-01-04', '2025-12-30'].map((day) => formatTick(day, 'month', now))).toEqual(['Jan', 'Dec 2025']);
});
