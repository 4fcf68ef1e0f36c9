import { describe, expect, test } from 'vitest';
import { readModeration } from '../ads/moderation-states.ts';
import { type CaseSituation, listActions, refuseAppeal, shouldHold, weighReport, weighTogether } from './rules.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const old = { role: 'user', created_at: ago(1000) } as const;
const decided = (...outcomes: ('dismissed' | 'upheld')[]) => ({
  decided: outcomes.map((outcome, i) => ({ outcome, decided_at: ago(i + 1) })),
});

describe('a report weighs', () => {
  test.each([
    ['1 without a record', old, decided(), 1],
    ['0 from a moderator', { ...old, role: 'moderator' } as const, decided('upheld'), 0],
    ['0 from an administrator', { ...old, role: 'admin' } as const, decided(), 0],
    ['0.25 within 24 hours after joining', { ...old, created_at: ago(23.9) }, decided('upheld'), 0.25],
    ['1 after 24 hours', { ...old, created_at: ago(24) }, decided(), 1],
    ['0.25 after three dismissed ones', old, decided('dismissed', 'dismissed', 'dismissed', 'upheld'), 0.25],
    ['1 after two dismissed ones', old, decided('dismissed', 'dismissed'), 1],
    ['2 with an upheld one', old, decided('dismissed', 'dismissed', 'upheld'), 2],
    ['2 on the 180th day', old, { decided: [{ outcome: 'upheld', decided_at: ago(180 * 24 - 1) }] } as const, 2],
    ['1 after 180 days', old, { decided: [{ outcome: 'upheld', decided_at: ago(180 * 24) }] } as const, 1],
  ])('%s', (_, reporter, record, weight) => {
    expect(weighReport(reporter, record, NOW)).toBe(weight);
  });
});

test.each([
  [{ weight: 3, limit: 3, isCleared: false }, 'active', true],
  [{ weight: 2.75, limit: 3, isCleared: false }, 'active', false],
  [{ weight: 3, limit: 3, isCleared: true }, 'active', false],
  [{ weight: 100, limit: 0, isCleared: false }, 'active', false],
  [{ weight: 3, limit: 3, isCleared: false }, 'expired', true],
  [{ weight: 3, limit: 3, isCleared: false }, 'pending', false],
  [{ weight: 3, limit: 3, isCleared: false }, 'inactive', false],
  [{ weight: 3, limit: 3, isCleared: false }, 'deleted', false],
] as const)('reports %o hold an ad that is %s: %s', (reports, state, held) => {
  expect(shouldHold({ state, moderation: readModeration(state, false) }, reports)).toBe(held);
});

describe('who may take which action', () => {
  const situation: CaseSituation = {
    targetType: 'ad',
    isDecided: false,
    mayAct: true,
    mayBan: true,
    isBanAppeal: false,
    isOwnDecision: false,
    isTargetGone: false,
    person: { deleted_at: null, banned_at: null },
  };
  test.each<[string, Partial<CaseSituation>, string]>([
    ['an administrator about an ad', {}, 'dismiss remove warn suspend ban'],
    ['a moderator about an ad', { mayBan: false }, 'dismiss remove warn suspend'],
    ['about a user', { targetType: 'user' }, 'dismiss warn suspend ban'],
    ['about a message', { targetType: 'message', mayBan: false }, 'dismiss warn suspend'],
    ['about a rating', { targetType: 'rating', mayBan: false }, 'dismiss remove warn suspend'],
    ['about a rating that is gone', { targetType: 'rating', isTargetGone: true }, 'dismiss warn suspend ban'],
    ['about a deleted ad', { isTargetGone: true }, 'dismiss warn suspend ban'],
    ['about a person who left', { person: { deleted_at: ago(1), banned_at: null } }, 'dismiss remove'],
    ['about a banned person', { person: { deleted_at: null, banned_at: ago(1) } }, 'dismiss remove warn suspend'],
    ['an administrator about the appeal of a ban', { targetType: 'decision', isBanAppeal: true }, 'uphold reverse'],
    ['a moderator about the appeal of a ban', { targetType: 'decision', isBanAppeal: true, mayBan: false }, ''],
    ['about staff of the same role', { mayAct: false }, ''],
    ['about a decided case', { isDecided: true }, ''],
    ['about an appeal', { targetType: 'decision' }, 'uphold reverse'],
    ['about an appeal against the own decision', { targetType: 'decision', isOwnDecision: true }, ''],
  ])('%s', (_, differs, actions) => {
    expect(listActions({ ...situation, ...differs }).join(' ')).toBe(actions);
  });
});

describe('an appeal is', () => {
  const decision = {
    action: 'remove' as const,
    created_at: ago(1),
    ended_at: null,
    until: null,
    isAppealed: false,
    isTargetGone: false,
  };
  test.each([
    ['possible', {}, true],
    ['possible against a hold', { action: 'hold' as const }, true],
    ['possible within 14 days', { created_at: ago(14 * 24 - 1) }, true],
    ['too late after 14 days', { created_at: ago(14 * 24) }, false],
    ['possible once', { isAppealed: true }, false],
    ['possible against a ban, however old', { action: 'ban' as const, created_at: ago(9999) }, true],
    ['impossible against a ban that was lifted', { action: 'ban' as const, ended_at: ago(1) }, false],
    ['impossible against a dismissal', { action: 'dismiss' as const }, false],
    ['impossible after a reversal', { ended_at: ago(1) }, false],
    ['impossible after the ad was deleted', { isTargetGone: true }, false],
    ['possible during a suspension', { action: 'suspend' as const, until: ago(-1) }, true],
    ['impossible after a suspension', { action: 'suspend' as const, until: ago(0) }, false],
  ])('%s', (_, differs, isPossible) => {
    expect(refuseAppeal({ ...decision, ...differs }, NOW) === null).toBe(isPossible);
  });
});

describe('reporters who are tied to one another', () => {
  const report = (day: string, { weight = 1, addressHash = null as string | null, isActive = false } = {}) => ({
    weight,
    addressHash,
    accountDay: day,
    isActive,
  });

  test('by nothing, weigh as much as each', () => {
    expect(weighTogether([report('2020-01-01'), report('2020-01-02', { weight: 2 }), report('2020-01-03')])).toBe(4);
  });
  test('as accounts of one day that did nothing else weigh 1', () => {
    expect(weighTogether([report('2020-01-01'), report('2020-01-01'), report('2020-01-01')])).toBe(1);
    expect(weighTogether([report('2020-01-01', { isActive: true }), report('2020-01-01', { isActive: true })])).toBe(2);
  });
  test('by an address block weigh 1, whenever they came', () => {
    const [one, two] = ['2020-01-01', '2021-01-01'].map((day) => report(day, { addressHash: 'a', isActive: true }));
    expect(weighTogether([one!, two!, report('2022-01-01')])).toBe(2);
  });
  test('through others weigh 1 together, less if each weighs less', () => {
    const chain = [
      report('2020-01-01', { addressHash: 'a' }),
      report('2020-01-01', { addressHash: 'b' }),
      report('2021-01-01', { addressHash: 'b', weight: 2 }),
    ];
    expect(weighTogether(chain)).toBe(1);
    expect(weighTogether([report('2020-01-01', { weight: 0.25 }), report('2020-01-01', { weight: 0.25 })])).toBe(0.5);
  });
});
