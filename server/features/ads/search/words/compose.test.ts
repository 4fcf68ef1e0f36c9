import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeQuery, composeWeaker, type Knowledge } from './compose.ts';
import { buildGrammar } from './grammar.ts';
import { readSearch } from './read-search.ts';

const grammar = buildGrammar(['en']);
const SYNONYMS = 12;

/** Everything is known, and has many synonyms. */
const compose = (search: string, ads = 1) => {
  const read = readSearch(search, grammar);
  const synonyms = read.terms.map((_, i) => Array.from({ length: SYNONYMS }, (__, j) => [`synonym${i}x${j}`]));
  const words = [...read.terms.flatMap(({ typed }) => typed.flat()), ...synonyms.flat(2)];
  const known: Knowledge = {
    words: new Map(words.map((word) => [word, { stems: [], ads }])),
    completions: [],
    compounds: new Map(),
    splits: new Map(),
    synonyms,
    loose: synonyms,
    categories: read.terms.map(() => []),
  };
  return { terms: read.terms.length, all: composeQuery(read, known), weaker: composeWeaker(read, known) };
};

test('the searches for the database grow with what was typed, however many words may be missing', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), (words) => {
      const { terms, all, weaker } = compose(words.join(' '));
      const size = [all, ...weaker].reduce((sum, { ranks }) => sum + ranks.join('').length, 0);
      expect(weaker.length).toBeLessThanOrEqual(3);
      expect(size).toBeLessThan(40_000 * terms);
    }),
  );
});

test.each([
  ['bike', 0],
  ['red bike', 1],
  ['red bike lamp', 2],
  ['red bike lamp chair sofa table', 1],
])('%s has %i weaker searches while each word is known', (search, count) => {
  expect(compose(search).weaker).toHaveLength(count);
});

test('words that no ad has are left out first; without any other there is no weaker search', () => {
  expect(compose('red bike lamp', 0).weaker).toEqual([]);
});
