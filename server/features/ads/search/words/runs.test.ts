import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutRun, listKnown, listNames, type RunWords } from './runs.ts';

const KNOWN = [
  'スマホ',
  'カバ',
  'ソファ',
  'バイク',
  'クロスバイク',
  '車',
  '自転車',
  'レンジ',
  '電動自転車',
  '机',
  'デスク',
];
const runWords: RunWords = {
  words: new Map(KNOWN.map((word) => [word, word])),
  longest: 6,
  otherKinds: new Set(['クロスバイク', '自転車']),
};

const cut = (run: string) => cutRun(run, runWords).map(({ text, isKnown }) => (isKnown ? `[${text}]` : text));

test.each([
  ['スマホカバ', ['[スマホ]', '[カバ]']],
  ['ソファーカバ', ['[ソファ]', '[カバ]']],
  ['ソファのカバ', ['[ソファ]', 'の', '[カバ]']],
  ['中古自転車', ['中古', '[自転車]']],
  ['学習机', ['学習', '[机]']],
  // a letter that is left over makes another word of it
  ['カバン', ['カバン']],
  ['オレンジ', ['オレンジ']],
  ['お机', ['お', '[机]']],
  ['車検', ['車検']],
  ['電動自転車', ['[電動自転車]']],
])('%s is cut into its words', (run, pieces) => {
  expect(cut(run)).toEqual(pieces);
});

test('a word names its kind, too, unless it is another kind', () => {
  expect(listNames('電動自転車', runWords)).toEqual([':電動自転車', ':自転車']);
  expect(listNames('クロスバイク', runWords)).toEqual([':クロスバイク']);
  expect(listKnown('クロスバイク', runWords)).toEqual([':クロスバイク', ':バイク']);
});

test('no character is lost, but long-vowel marks behind a word', () => {
  const run = fc
    .array(fc.oneof(fc.constantFrom(...KNOWN, 'ー', 'の', 'ン'), fc.string({ unit: 'grapheme', maxLength: 3 })), {
      maxLength: 12,
    })
    .map((parts) => parts.join(''));
  const plain = (text: string) => text.replaceAll('ー', '');
  fc.assert(
    fc.property(run, (text) => {
      const pieces = cutRun(text, runWords);
      expect(plain(pieces.map((piece) => piece.text).join(''))).toBe(plain(text));
      for (const piece of pieces) if (piece.isKnown) expect(runWords.words.has(piece.text)).toBe(true);
    }),
  );
});
