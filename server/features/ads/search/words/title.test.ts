import { expect, test } from 'vitest';
import { buildGrammar } from './grammar.ts';
import { splitUnits } from './split.ts';
import { readTitle } from './title.ts';

const grammar = buildGrammar(['ja', 'en']);

const read = (title: string) => {
  const { head, purpose, accessories } = readTitle(splitUnits(title), grammar);
  const textOf = (units: typeof head) => units.map(({ spellings }) => spellings[0]).join(' ');
  return { head: textOf(head), purpose: textOf(purpose), accessories };
};

test.each([
  ['Battery for drill', 'battery', 'drill', 1],
  // what stands before its suffix
  ['iPhone用ケース', 'ケース', 'iphone', 1],
  ['Xperia 10 IV用 手帳カバー', '手帳 カバ', 'xperia 10 iv', 1],
  ['タイヤ 155/65R14 軽自動車用', 'タイヤ 155 65r14', '軽自動車', 1],
  // not for what, but for whom, how much, and other words with this character
  ['子供用自転車', '子供用自転車', '車', 0],
  ['エアコン 6畳用 ダイキン', 'エアコン 6 畳用 ダイキン', '', 0],
  ['ソファ 未使用 グレー', 'ソファ 未使用 グレ', '', 0],
  // the last word of a compound is the thing
  ['パソコンデスク 幅120', 'パソコンデスク 幅 120', 'パソコン', 0],
  ['ソファのカバー', 'の カバ', 'ソファ', 1],
  ['TVラック 白', 'ラック 白', 'tv', 1],
  // extras
  ['ソファ カバー付き', 'ソファ 付き', 'カバ', 0],
  ['【美品】スマホケース', '美品 ケース', 'スマホ', 1],
  ['タイヤラック 2台', 'ラック 2', 'タイヤ', 1],
  ['寝袋 マミー型', '寝袋 マミ型', '袋', 0],
])('%s names %s, for %s', (title, head, purpose, accessories) => {
  expect(read(title)).toEqual({ head, purpose, accessories });
});

const spanish = buildGrammar(['en', 'es']);

const readSpanish = (title: string) => readTitle(splitUnits(title), spanish);

test.each([
  ['Galaxy S22 128GB', ['android phone', 'móvil android']],
  ['Selling my iphone14 pro', ['phone', 'móvil']],
  ['2015 Honda Civic EX', ['car', 'coche']],
  ['PS5 disc edition', ['console', 'consola']],
  ['black PS5 with games', ['console', 'consola']],
  ['Seat Ibiza 2009', ['car', 'coche']],
])('%s is a %s', (title, nouns) => {
  expect(readSpanish(title).nouns).toEqual(nouns);
});

test.each([
  'Galaxy S22 case',
  'Case for iPhone 14',
  'FIFA 23 PS5',
  'Radio Android 9 Toyota Corolla',
  'Honda Civic headlights',
  'Galaxy of stars',
])('%s is no product', (title) => {
  expect(readSpanish(title).nouns).toEqual([]);
});

test.each([
  ['FIFA 23 PS5', 'ps5'],
  ['Gaming PC RTX 3060', 'rtx 3060'],
  ['Case for iPhone', 'iphone'],
  ['PS5 with controller', ''],
])('%s is for %s', (title, purpose) => {
  expect(
    readSpanish(title)
      .purpose.map(({ spellings }) => spellings[0])
      .join(' '),
  ).toBe(purpose);
});

test.each([
  ['Bike rack', 1],
  ['TV unit, white', 1],
  ['Coche de bebé', 1],
  ["Kids' bumper case iPad mini", 2],
  ['Bike with rack', 0],
])('%s names %i accessories', (title, accessories) => {
  expect(readSpanish(title).accessories).toBe(accessories);
});
