import { expect, test } from 'vitest';
import { countEdits } from './spelling.ts';
import { rankCorrections } from './suggestions.ts';

test.each([
  ['guitar', 'guitar', 0],
  ['guittar', 'guitar', 1],
  ['bycicle', 'bicycle', 2],
  ['teh', 'the', 1],
  ['kitten', 'sitting', 3],
  ['', 'sofa', 4],
  ['möbel', 'mobel', 1],
])('%s and %s are %i edits apart', (one, other, edits) => {
  expect(countEdits(one, other)).toBe(edits);
  expect(countEdits(other, one)).toBe(edits);
});

test('the nearest word comes first, of equally near ones the most frequent', () => {
  const similar = [
    { word: 'guitars', ads: 90 },
    { word: 'guitar', ads: 200 },
    { word: 'gutter', ads: 900 },
    { word: 'guild', ads: 900 },
  ];
  expect(rankCorrections('guittar', similar)).toEqual(['guitar', 'gutter', 'guitars']);
});

test('a word that is there is left alone, unless it is rare beside another', () => {
  const sofa = { word: 'sofas', ads: 40 };
  expect(rankCorrections('sodas', [sofa, { word: 'sodas', ads: 5 }])).toEqual([]);
  expect(rankCorrections('sodas', [sofa, { word: 'sodas', ads: 4 }])).toEqual(['sofas']);
});

test('short words and numbers are left alone, and so is what is far from everything', () => {
  expect(rankCorrections('car', [{ word: 'cart', ads: 100 }])).toEqual([]);
  expect(rankCorrections('rtx3080', [{ word: 'rtx3090', ads: 100 }])).toEqual([]);
  expect(rankCorrections('zebra', [{ word: 'zero', ads: 100 }])).toEqual([]);
});
