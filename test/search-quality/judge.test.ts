import { expect, test } from 'vitest';
import type { AdInput } from '../../contract/ads.ts';
import { type Figures, judge, listMissed, summarize } from './judge.ts';

const found = (thing: string, title: string) => ({ thing, title });
const BIKE = found('bicycle', 'Trek 820');
const TANDEM = found('bicycle', 'Tandem');
const RACK = found('bike-rack', 'Bike rack');
const CAR = found('car', 'Mazda');
const ads = [BIKE, TANDEM, RACK, CAR].map(({ thing, title }) => ({ thing, input: { title } as AdInput }));
const query = { search: 'bike', expected: ['bicycle'], best: ['bicycle'], nearMisses: ['bike-rack'] };
const faultsOf = (...page: { thing: string; title: string }[]) => judge({ ads }, query, page).faults;

test('a page with all expected ads, a best one in front and the near miss behind has no fault', () => {
  expect(faultsOf(BIKE, RACK, TANDEM)).toEqual([]);
  expect(faultsOf(CAR, CAR, BIKE, TANDEM)).toEqual([]);
});

test('each fault is named', () => {
  expect(faultsOf(BIKE)).toEqual(['incomplete']);
  expect(judge({ ads }, query, [BIKE]).missing).toEqual(['Tandem']);
  expect(faultsOf(CAR, CAR, CAR, BIKE, TANDEM)).toEqual(['no best one in front']);
  expect(faultsOf(RACK, BIKE, TANDEM)).toEqual(['near miss in front']);
  expect(faultsOf(RACK)).toEqual(['incomplete', 'no best one in front', 'near miss in front']);
  expect(faultsOf()).toEqual(['incomplete', 'no best one in front', 'empty']);
});

test('figures are shares of the queries, near misses of those that name some', () => {
  const plain = { ...query, nearMisses: [] };
  const verdicts = [
    judge({ ads }, query, [RACK, BIKE, TANDEM]),
    judge({ ads }, plain, [BIKE]),
    judge({ ads }, plain, []),
  ];
  expect(summarize(4, verdicts)).toEqual({
    ads: 4,
    queries: 3,
    complete: 1 - 2 / 3,
    bestInFront: 1 - 1 / 3,
    nearMissInFront: 1,
    empty: 1,
  });
});

test('each goal that is missed is named', () => {
  const good: Figures = { ads: 4, queries: 3, complete: 0.95, bestInFront: 0.95, nearMissInFront: 0.05, empty: 0 };
  expect(listMissed(good, { en: { ...good, complete: 0.9 } })).toEqual([]);
  const bad: Figures = { ...good, complete: 0.94, bestInFront: 0.5, nearMissInFront: 0.25, empty: 1 };
  expect(listMissed(bad, { en: good, de: { ...bad, complete: 0.89 } })).toEqual([
    'complete 0.940 < 0.95',
    'best in front 0.500 < 0.95',
    'near miss in front 0.250 > 0.05',
    'empty 1 > 0',
    'de: complete 0.890 < 0.9',
  ]);
});
