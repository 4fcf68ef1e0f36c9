import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './index.ts';

const wordsOf = (line: string) => line.split(/, | > /);

const GROUPS: Record<string, number> = { en: 300, de: 60, es: 60, fr: 250, pt: 250, ja: 250, ar: 250 };

test.each(Object.entries(GROUPS))('%s has at least %d groups of synonyms', (code, count) => {
  expect(LANGUAGES[code]!.synonyms.length).toBeGreaterThanOrEqual(count);
});

test('each language knows its small words and its accessories', () => {
  const codes = ['ar', 'de', 'el', 'en', 'es', 'fr', 'he', 'hi', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'th', 'tr'];
  expect(Object.keys(LANGUAGES)).toEqual([...codes, 'vi', 'zh']);
  for (const { stopWords, forWords, notFor, withWords, accessories } of Object.values(LANGUAGES)) {
    expect(stopWords.length).toBeGreaterThanOrEqual(20);
    for (const list of [forWords, notFor, withWords, accessories]) expect(list).not.toEqual([]);
  }
});

test.each([
  ['bike', 'bicycle', 'cycle'],
  ['sofa', 'couch', 'settee'],
  ['tv', 'television'],
  ['phone', 'mobile', 'cellphone', 'smartphone'],
  ['notebook', 'laptop'],
  ['fridge', 'refrigerator'],
  ['pram', 'stroller'],
])('in English %s and %s mean one thing', (...words) => {
  const groups = LANGUAGES.en!.synonyms.filter((line) => !line.includes(' > ')).map(wordsOf);
  expect(groups.some((group) => words.every((word) => group.includes(word)))).toBe(true);
});

describe.each(Object.entries(LANGUAGES))('%s', (_code, language) => {
  const lists = [language.stopWords, language.forWords, language.forSuffixes ?? []].concat([
    language.notFor,
    language.withWords,
    language.accessories,
    language.notCompounds ?? [],
    ...language.synonyms.map(wordsOf),
    ...(language.misspellings ?? []).map(wordsOf),
  ]);

  test('has words in lower case, none empty and none twice in a list', () => {
    for (const list of lists) {
      for (const word of list) expect(word).toMatch(/^\S+( \S+)*$/u);
      expect(list).toEqual(list.map((word) => word.toLowerCase()));
      expect(list.filter((word, at) => list.indexOf(word) !== at)).toEqual([]);
    }
  });

  test('has synonyms of one to three words, at least two a group', () => {
    for (const line of language.synonyms) {
      expect(line.split(' > ').length, line).toBeLessThanOrEqual(2);
      expect(wordsOf(line).length, line).toBeGreaterThanOrEqual(2);
      expect(wordsOf(line).filter((word) => word.split(' ').length > 3)).toEqual([]);
    }
    for (const line of language.synonyms.filter((each) => each.includes(' > '))) expect(line).toMatch(/^[^,]+ > /);
  });

  test('has misspellings of single words, each of one word', () => {
    const misspellings = language.misspellings ?? [];
    for (const line of misspellings) expect(line).toMatch(/^\S+ > \S+(, \S+)*$/u);
    const wrong = misspellings.flatMap((line) => wordsOf(line).slice(1));
    expect(wrong.filter((word, at) => wrong.indexOf(word) !== at)).toEqual([]);
  });

  test('has no word in two groups that work both ways, and no group twice', () => {
    const words = language.synonyms.filter((line) => !line.includes(' > ')).flatMap(wordsOf);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
    const heads = language.synonyms.filter((line) => line.includes(' > ')).map((line) => line.split(' > ')[0]!);
    expect(heads.filter((word, at) => heads.indexOf(word) !== at)).toEqual([]);
  });
});
