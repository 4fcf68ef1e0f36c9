import { expect, test } from 'vitest';
import { formatDay } from './format-day.ts';

const at = (month: number, day: number, hour = 12, minute = 0, year = 2026) =>
  new Date(year, month - 1, day, hour, minute);

test('days of a conversation are Today, Yesterday, then their date, with the year if it is another', () => {
  const show = (then: Date, now: Date) => formatDay(then.toISOString(), now.getTime());
  const now = at(11, 21);
  expect([show(at(11, 21, 0), now), show(at(11, 20, 23), now), show(at(11, 14), now)]).toEqual([
    'Today',
    'Yesterday',
    'Saturday, November 14',
  ]);
  expect(show(at(12, 31, 9, 0, 2025), at(1, 1))).toBe('Yesterday');
  expect(show(at(12, 30, 9, 0, 2025), at(1, 1))).toBe('Tuesday, December 30, 2025');
});
