import { describe, expect, test } from 'vitest';
import {
  isTakenDown,
  MODERATION_EVENTS,
  MODERATION_STATES,
  type ModerationEvent,
  type ModerationState,
  mayHappen,
  moderate,
  readModeration,
} from './moderation-states.ts';

/** Every status with every event; null: it cannot happen. */
const EXPECTED: Record<ModerationState, Record<ModerationEvent, ModerationState | null>> = {
  clear: { pass: 'clear', question: 'pending', hold: 'held', remove: 'removed', approve: 'clear' },
  pending: { pass: 'clear', question: 'pending', hold: null, remove: 'removed', approve: 'clear' },
  held: { pass: 'held', question: 'held', hold: null, remove: 'removed', approve: 'clear' },
  removed: { pass: 'held', question: 'held', hold: null, remove: 'removed', approve: 'clear' },
};

describe.each(MODERATION_STATES)('an ad that is %s', (from) => {
  test.each(MODERATION_EVENTS)('%s', (event) => {
    const to = EXPECTED[from][event];
    expect(mayHappen(from, event)).toBe(to !== null);
    if (to === null) expect(() => moderate(from, event)).toThrow(`${event} cannot happen to an ad that is ${from}`);
    else expect(moderate(from, event)).toBe(to);
  });

  test('is public again only by staff, once it is taken down', () => {
    const isFree = MODERATION_EVENTS.some((event) => event !== 'approve' && EXPECTED[from][event] === 'clear');
    expect(isFree).toBe(!isTakenDown({ moderation: from }));
  });
});

test.each([
  ['active', false, 'clear'],
  ['active', true, 'clear'],
  ['expired', false, 'clear'],
  ['expired', true, 'clear'],
  ['pending', false, 'pending'],
  ['pending', true, 'held'],
  ['inactive', false, 'removed'],
  ['inactive', true, 'removed'],
] as const)('the former columns %s and %s mean %s', (state, isTaken, moderation) => {
  expect(readModeration(state, isTaken)).toBe(moderation);
});
