import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTexts } from '../server/lib/catalogs.ts';
import { ATTRIBUTES, checkDetails, formatDetail, getAttributes, labelField, stateDetail } from './attributes.ts';
import { speaking } from './i18n.ts';
import type { Language } from './languages.ts';
import { LIMITS } from './limits.ts';

const categories: { slug: string }[] = JSON.parse(
  readFileSync(new URL('../seeds/categories.json', import.meta.url), 'utf8'),
);

test('details belong to categories that there are', () => {
  const slugs = categories.map(({ slug }) => slug);
  expect(Object.keys(ATTRIBUTES).filter((slug) => !slugs.includes(slug))).toEqual([]);
});

test.each(Object.entries(ATTRIBUTES))('%s has a few details, each with a key of its own', (_, attributes) => {
  const keys = attributes.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeLessThanOrEqual(LIMITS.details);
  expect(keys.filter((key) => !/^[a-zA-Z]+$/.test(key))).toEqual([]);
});

test('a key has the same type in every category', () => {
  const types = Object.groupBy(Object.values(ATTRIBUTES).flat(), ({ key }) => key);
  const mixed = Object.entries(types).filter(([, all]) => new Set(all?.map(({ type }) => type)).size > 1);
  expect(mixed.map(([key]) => key)).toEqual([]);
});

test.each([
  ['120000', 120_000],
  ['120,000', 120_000],
  ['120 000', 120_000],
  ["120'000", 120_000],
  ['120.000', undefined],
  ['1.2', undefined],
  ['12,00', 12],
])('the mileage "%s" is %s, and never a thousandth of it', (typed, expected) => {
  const { details, problems } = checkDetails('vehicles', { mileage: typed });
  expect(details.mileage).toBe(expected);
  expect(Object.keys(problems)).toEqual(expected === undefined ? ['details.mileage'] : []);
});

const describeIn = (language: Language, slug: string, key: string, value: string | number): string[] => {
  const attribute = getAttributes(slug).find((one) => one.key === key)!;
  return speaking(readTexts(language), () => {
    const text = formatDetail(attribute, value, 'km');
    return [labelField(attribute, 'km'), stateDetail(attribute, text)];
  });
};

test('names, choices and units are in the language that is spoken', () => {
  expect(describeIn('en', 'vehicles', 'mileage', 120_000)).toEqual(['Mileage (km)', 'Mileage: 120,000 km']);
  expect(describeIn('de', 'vehicles', 'mileage', 120_000)).toEqual([
    'Kilometerstand (km)',
    'Kilometerstand: 120.000 km',
  ]);
  expect(describeIn('fr', 'vehicles', 'fuel', 'petrol')).toEqual(['Carburant', 'Carburant\u202f: Essence']);
  expect(describeIn('ja', 'vehicles', 'year', 2015)).toEqual(['製造・発行年', '製造・発行年：2015']);
  expect(describeIn('en', 'toys', 'age', 1)).toEqual(['Age from (years)', 'Age from: 1 year']);
  expect(describeIn('de', 'toys', 'age', 3)).toEqual(['Alter ab (Jahre)', 'Alter ab: 3 Jahre']);
});
