import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRecentEvents } from './recent-events.ts';

const about = (id: number, receiverId = '1', senderId = '2') => ({ receiverId, senderId, adId: '7', id: `${id}` });
const idsOf = (events: { id?: string }[]) => events.map(({ id }) => id);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('has the events of the last ten seconds that concern a person, from whichever side', () => {
  const recent = createRecentEvents();
  recent.restart(Date.now());
  recent.add(about(1));
  vi.advanceTimersByTime(6000);
  recent.add(about(2, '2', '1'));
  recent.add(about(3, '3', '4'));
  expect(idsOf(recent.list('1'))).toEqual(['1', '2']);
  expect(recent.getCaughtUpMs()).toBe(6000);
  vi.advanceTimersByTime(6000);
  expect(idsOf(recent.list('1'))).toEqual(['2']);
  recent.add(about(4));
  expect(idsOf(recent.list('1'))).toEqual(['2', '4']);
  expect(recent.getCaughtUpMs()).toBe(10_000);
});

test('is complete only since events arrive without a gap', () => {
  const recent = createRecentEvents();
  expect(recent.getCaughtUpMs(), 'nothing is heard yet').toBe(0);
  recent.restart(Date.now() + 2000);
  vi.advanceTimersByTime(1000);
  expect(recent.getCaughtUpMs(), 'not yet surely').toBe(0);
  vi.advanceTimersByTime(4000);
  recent.add(about(1));
  expect(recent.getCaughtUpMs()).toBe(3000);
  recent.restart(Infinity);
  expect([recent.getCaughtUpMs(), recent.list('1')]).toEqual([0, []]);
});

test('keeps a bounded number, and says so by a shorter time', () => {
  const recent = createRecentEvents();
  recent.restart(Date.now());
  vi.advanceTimersByTime(1000);
  recent.add(about(0));
  vi.advanceTimersByTime(1000);
  for (let id = 1; id <= 5000; id++) recent.add(about(id));
  expect(recent.list('1')).toHaveLength(5000);
  expect(recent.getCaughtUpMs()).toBe(1000);
});
