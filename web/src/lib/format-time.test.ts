import { expect, test } from 'vitest';
import { formatDay, formatTimeAgo } from './format.ts';

test('times are shown as distances for a week, then as a date', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const ago = (ms: number) => formatTimeAgo(new Date(now - ms).toISOString(), now);
  const minute = 60_000;
  const day = 24 * 60 * minute;
  expect([ago(5000), ago(minute), ago(59 * minute), ago(2 * 60 * minute), ago(day), ago(3 * day)]).toEqual([
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '2 hours ago',
    'yesterday',
    '3 days ago',
  ]);
  expect(ago(10 * day)).toBe('Nov 11, 2026');
});

test('a clock that runs ahead of the server never shows a time to come', () => {
  expect(formatTimeAgo('2026-11-21T12:00:05Z', Date.parse('2026-11-21T12:00:00Z'))).toBe('just now');
});

test('days of a conversation are Today, Yesterday, then their date', () => {
  const now = new Date(2026, 10, 21, 12);
  const on = (day: number) => formatDay(new Date(2026, 10, day, 9).toISOString(), now);
  expect([on(21), on(20), on(14)]).toEqual(['Today', 'Yesterday', 'Saturday, November 14']);
});
