import { expect, test } from 'vitest';
import { createSingulars } from './plurals.ts';

const toSingular = createSingulars(['en', 'es', 'fr', 'pt']);

test.each([
  ['shelves', 'shelf'],
  ['bookshelves', 'bookshelf'],
  ['knives', 'knife'],
  ['scarves', 'scarf'],
  ['lapices', 'lapiz'],
  ['bijoux', 'bijou'],
  ['jornais', 'jornal'],
  ['moveis', 'movel'],
  ['lencois', 'lencol'],
  ['azuis', 'azul'],
])('%s are more than one %s', (plural, singular) => {
  expect(toSingular(plural)).toBe(singular);
});

test.each(['gloves', 'stoves', 'sleeves', 'drives', 'bikes', 'ces', 'iris', 'tenis', 'سيارات', '棚'])(
  '%s stays as it is',
  (word) => {
    expect(toSingular(word)).toBe(word);
  },
);

test('a language that is not searched has no say', () => {
  expect(createSingulars(['de'])('shelves')).toBe('shelves');
});
