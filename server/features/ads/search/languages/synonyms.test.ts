import { expect, test } from 'vitest';
import { LANGUAGES } from './index.ts';
import { buildSynonyms, parseGroup, withoutWords } from './synonyms.ts';

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const build = (...lines: string[]) => buildSynonyms(lines.map(parseGroup), fold);

test('words of a group find each other', () => {
  const synonyms = build('bike, bicycle, push bike', 'tv, television');
  expect(synonyms.find('bike')).toEqual(['bicycle', 'push bike']);
  expect(synonyms.find('push bike')).toEqual(['bike', 'bicycle']);
  expect(synonyms.find('television')).toEqual(['tv']);
  expect(synonyms.find('push')).toEqual([]);
  expect(synonyms.find('constructor')).toEqual([]);
});

test('a narrower word is found from the wider one and what means the same, not the reverse', () => {
  const synonyms = build('sofa, couch', 'sofa > loveseat, futon', 'couch > loveseat');
  expect(synonyms.find('sofa')).toEqual(['couch', 'loveseat', 'futon']);
  expect(synonyms.find('couch')).toEqual(['sofa', 'loveseat', 'futon']);
  expect(synonyms.find('loveseat')).toEqual([]);
});

test('words meet as they are folded, and come back as they are written', () => {
  const synonyms = build('sofá, diván', 'Canapé, SOFA');
  expect(synonyms.find('Divan')).toEqual(['sofá']);
  expect(synonyms.find('sofa')).toEqual(['diván', 'Canapé']);
});

test('a right spelling finds wrong ones, and a wrong one knows the right one', () => {
  const misspelt = [parseGroup('vacuum > vaccum, vacum'), parseGroup('crib > cot')];
  const synonyms = buildSynonyms(
    [parseGroup('vacuum, hoover'), parseGroup('cot, baby bed')],
    fold,
    undefined,
    misspelt,
  );
  expect(synonyms.find('hoover')).toEqual(['vacuum', 'vaccum', 'vacum']);
  expect(synonyms.spellRight('Vaccum')).toBe('vacuum');
  expect(['vacuum', 'cot', 'chair'].map((word) => synonyms.spellRight(word))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([...synonyms.words]).toEqual(['vacuum', 'hoover', 'cot', 'baby', 'bed']);
});

test('a group without a word that is taken out keeps its others', () => {
  const groups = ['bike, bicycle, cycle', 'bike > mtb', 'vehicle > bike, car'].map(parseGroup);
  const synonyms = buildSynonyms(withoutWords(groups, new Set(['bike']), fold), fold);
  expect(synonyms.find('bike')).toEqual([]);
  expect(synonyms.find('cycle')).toEqual(['bicycle']);
  expect(synonyms.find('vehicle')).toEqual(['car']);
});

test('the lines of a language are groups as they stand', () => {
  const english = buildSynonyms(LANGUAGES.en!.synonyms.map(parseGroup), fold);
  expect(english.find('sofa')).toEqual(expect.arrayContaining(['couch', 'settee', 'loveseat']));
  const wider = ['sofa', 'couch', 'settee'];
  expect(english.find('loveseat').filter((word) => wider.includes(word))).toEqual([]);
  expect(english.find('washer')).toContain('washing machine');
});

test('a word that no group has finds what one with its stem does; a group of its own comes first', () => {
  const stem = (folded: string) => folded.replace(/s$/, '');
  const synonyms = buildSynonyms(['bike, bicycle', 'glasses, spectacles'].map(parseGroup), fold, stem);
  expect(synonyms.find('bikes')).toEqual(['bike', 'bicycle']);
  expect(synonyms.find('glasses')).toEqual(['spectacles']);
  expect(synonyms.find('lamps')).toEqual([]);
});

test('what means the same as a narrower word, or is narrower than it, is found, too', () => {
  const synonyms = build('phone > iphone, android', 'iphone, i-phone', 'android > galaxy', 'galaxy > a, phone');
  expect(synonyms.find('phone')).toEqual(['iphone', 'android', 'i-phone', 'galaxy', 'a']);
  expect(synonyms.findFar('phone')).toEqual(['i-phone', 'galaxy', 'a']);
  expect(synonyms.find('i-phone')).toEqual(['iphone']);
});
