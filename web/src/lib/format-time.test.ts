import { afterEach, expect, test, vi } from 'vitest';
import { ENGLISH_TEXTS, speaking } from '../../../contract/i18n.ts';
import { formatRecentDate, formatTimeAgo } from './format.ts';

const at = (month: number, day: number, hour = 12, minute = 0, year = 2026) =>
  new Date(year, month - 1, day, hour, minute);
const ago = (then: Date, now: Date) => formatTimeAgo(then.toISOString(), now.getTime());

test('times are shown as distances for a week, then as a date with its year', () => {
  const now = at(11, 21, 12);
  const before = (minutes: number) => ago(new Date(now.getTime() - minutes * 60_000), now);
  expect([before(0.1), before(1), before(59), before(119), before(11 * 60)]).toEqual([
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '11 hours ago',
  ]);
  expect([ago(at(11, 20), now), ago(at(11, 18), now), ago(at(11, 15, 0), now)]).toEqual([
    'yesterday',
    '3 days ago',
    '6 days ago',
  ]);
  expect([ago(at(11, 14, 23, 59), now), ago(at(12, 31, 23, 0, 2025), now)]).toEqual(['Nov 14, 2026', 'Dec 31, 2025']);
});

test('Japanese has no space between a number and its word', () => {
  const now = at(11, 21, 12);
  const say = (minutes: number) =>
    speaking({ ...ENGLISH_TEXTS, language: 'ja' }, () => ago(new Date(now.getTime() - minutes * 60_000), now));
  expect([say(3), say(180), say(3 * 24 * 60), say(24 * 60)]).toEqual(['3分前', '3時間前', '3日前', '昨日']);
});

test('days are days of the calendar, not of 24 hours', () => {
  // Monday 23:00, read on Wednesday 22:00
  expect(ago(at(11, 23, 23), at(11, 25, 22))).toBe('2 days ago');
  expect(ago(at(11, 24, 0, 1), at(11, 25, 23, 59))).toBe('yesterday');
  expect(ago(at(11, 24, 22), at(11, 25, 1))).toBe('yesterday');
  expect(ago(at(11, 24, 23, 30), at(11, 25, 0, 10))).toBe('40 minutes ago');
  expect(ago(at(12, 31, 23, 0, 2025), at(1, 1, 9))).toBe('yesterday');
});

test('days are counted right where the clocks change', () => {
  const zone = process.env.TZ;
  process.env.TZ = 'Europe/Berlin';
  // 25 hours of one day, 23 of the other
  expect(ago(at(10, 24, 12), at(10, 25, 12))).toBe('yesterday');
  expect(ago(at(10, 25, 0, 30), at(10, 26, 0, 10))).toBe('yesterday');
  expect(ago(at(3, 28, 23), at(3, 29, 4))).toBe('yesterday');
  expect(ago(at(3, 28, 12), at(3, 30, 1))).toBe('2 days ago');
  process.env.TZ = zone;
});

test('a clock that runs ahead of the server never shows a time to come', () => {
  expect(formatTimeAgo('2026-11-21T12:00:05Z', Date.parse('2026-11-21T12:00:00Z'))).toBe('just now');
});

afterEach(() => vi.useRealTimers());

test('a recent date is a word for the reader, and a date where their time zone is unknown', () => {
  vi.useFakeTimers({ now: at(11, 21, 1) });
  const read = (then: Date) => formatRecentDate(then.toISOString(), 'local');
  expect([read(at(11, 21, 0)), read(at(11, 20, 23)), read(at(11, 20, 0)), read(at(11, 19, 23))]).toEqual([
    'Today',
    'Yesterday',
    'Yesterday',
    'Nov 19, 2026',
  ]);
  expect(formatRecentDate('2026-11-21T00:30:00Z', 'UTC')).toBe('Nov 21, 2026');
});
