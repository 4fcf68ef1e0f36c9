import { expect, test } from 'vitest';
import { findNewer, UnknownSchema } from './migrate.ts';

const OURS = ['1_users.ts', '2_ads.ts', '3_views.ts'];

test.each([
  ['nothing applied', [], []],
  ['some of ours pending', ['1_users.ts'], []],
  ['exactly ours', OURS, []],
  ['all of ours and what a newer release added', [...OURS, '5_b.ts', '4_a.ts'], ['4_a.ts', '5_b.ts']],
])('%s', (_name, applied, newer) => {
  expect(findNewer(OURS, applied)).toEqual(newer);
});

test.each([
  ['a name between ours', [...OURS, '2_zebras.ts'], /another history.*2_zebras/],
  ['newer ones without one of ours', ['1_users.ts', '3_views.ts', '4_a.ts'], /lacks 2_ads\.ts.*newer 4_a\.ts/],
])('%s is refused', (_name, applied, message) => {
  expect(() => findNewer(OURS, applied)).toThrow(UnknownSchema);
  expect(() => findNewer(OURS, applied)).toThrow(message);
});
