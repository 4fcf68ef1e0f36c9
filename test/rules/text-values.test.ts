import { expect, test } from 'vitest';
import { findWrongValues, listWrongValues } from './text-values.ts';

test('each call gives the values that its text needs, and each sentence its parts', () =>
  expect(listWrongValues()).toEqual([]));

test.each([
  ["t('reservations.until', { date })", []],
  ["t('reservations.until')", ['reservations.until lacks date']],
  ["t('reservations.until', { day })", ['reservations.until lacks date', 'reservations.until does not have day']],
  ["t('list.adsFound', { count: 1 })", []],
  ["t('list.adsFound', {})", ['list.adsFound lacks count']],
  [
    "t(isMany ? 'list.countAds' : 'list.free', { number })",
    ['list.countAds or list.free lacks count', 'list.countAds or list.free does not have number'],
  ],
  ["t(key); t('reservations.until', values); t('reservations.until', { ...values })", []],
  ["<Rich text={t('reservations.forPerson')} name={() => name} />", []],
  ["<Rich text={t('reservations.forPerson')} person={() => name} />", ['reservations.forPerson lacks the tag name']],
])('faults are found in %s', (source, faults) => expect(findWrongValues(source)).toEqual(faults));
