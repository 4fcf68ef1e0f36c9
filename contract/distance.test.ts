import { expect, test } from 'vitest';
import { readTexts } from '../server/lib/catalogs.ts';
import { formatDistance } from './distance.ts';
import { speaking } from './i18n.ts';

test.each([
  ['en', 'km', '10 km'],
  ['en', 'miles', '10 miles'],
  ['de', 'km', '10 km'],
  ['de', 'miles', '10 Meilen'],
  ['ja', 'km', '10 km'],
  ['ar', 'km', '10 كم'],
] as const)('in %s, 10 %s are "%s"', (language, unit, text) => {
  expect(speaking(readTexts(language), () => formatDistance(10, unit))).toBe(text);
});
