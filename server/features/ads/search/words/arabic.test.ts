import { expect, test } from 'vitest';
import { stemArabic } from './arabic.ts';
import { foldText } from './fold.ts';

const stem = (word: string) => stemArabic(foldText(word));

test.each([
  ['سيارة', 'سيارات', 'السيارة', 'للسيارات', 'والسيارة', 'سيارتين'],
  ['كاميرا', 'كاميرات', 'الكاميرا'],
  ['عباية', 'عبايه', 'العباية'],
  ['مستعمل', 'مستعملة', 'المستعملة'],
  ['كهربائي', 'كهربائية', 'كهربائيه'],
  ['دباب', 'للدبابات'],
  ['كنب', 'كنبة', 'والكنبة'],
])('%s has one stem in all its forms', (...forms) => {
  expect(new Set(forms.map(stem)).size).toBe(1);
});

test.each([
  ['بنزين', 'بنز'],
  ['كرتون', 'كرت'],
  ['ورق', 'رق'],
  ['بنات', 'بن'],
  ['عربية', 'عربي'],
  ['الة', 'ه'],
])('%s is another word than %s', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test('words of other scripts stay as they are', () => {
  for (const word of ['bikes', '自転車', 'ps5', '']) expect(stemArabic(word)).toBe(word);
});
