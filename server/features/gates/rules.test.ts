import { describe, expect, test } from 'vitest';
import { hashText, listNumbers, waitFor, whenOldEnough } from './rules.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString();

describe('a wait', () => {
  test('is not needed below the limit, and never without a limit', () => {
    expect(waitFor([minutesAgo(5)], 2, 3600, NOW)).toBeNull();
    expect(waitFor([minutesAgo(5), minutesAgo(1)], 0, 3600, NOW)).toBeNull();
  });

  test('lasts until the oldest of so many leaves the period', () => {
    expect(waitFor([minutesAgo(50), minutesAgo(5)], 2, 3600, NOW)).toBe(600);
  });

  test('counts the newest ones when there are more, as after a lowered limit', () => {
    expect(waitFor([minutesAgo(5), minutesAgo(50), minutesAgo(20)], 2, 3600, NOW)).toBe(40 * 60);
    expect(waitFor([minutesAgo(5), minutesAgo(50), minutesAgo(20)], 1, 3600, NOW)).toBe(55 * 60);
  });

  test('lasts at least a second', () => expect(waitFor([minutesAgo(60)], 1, 3600, NOW)).toBe(1));
});

test('an X account is old enough to the second', () => {
  expect(whenOldEnough('2026-06-05T12:00:00Z', 10, NOW)).toBeNull();
  expect(whenOldEnough('2026-06-05T12:00:01Z', 10, NOW)).toEqual(new Date('2026-06-15T12:00:01Z'));
});

test.each([
  ['Kettle 12', 'kettle, 12!', true],
  ['12 plates, 3 cups', '3 cups, 12 plates', true],
  ['iPhone 12', 'iPhone 13', false],
  ['Shoes 42', 'Shoes', false],
  ['Shoes ٤٢', 'Shoes 42', true],
  ['Shoes 42', 'Shoes 42', true],
  ['Size 4 2', 'Size 42', false],
])('whether "%s" and "%s" have the same numbers: %s', (one, other, isSame) => {
  expect(listNumbers(one) === listNumbers(other)).toBe(isSame);
});

test('texts that differ only in case and blanks have the same hash', () => {
  const hash = hashText('Cheap phones here');
  for (const same of ['cheap PHONES here', ' Cheap  phones\nhere ', 'Cheapphoneshere', 'cheap\u00a0phones here'])
    expect(hashText(same)).toEqual(hash);
  for (const other of ['Cheap phones here!', 'Cheap phone shere 2']) expect(hashText(other)).not.toEqual(hash);
  expect(hash).toHaveLength(16);
});
