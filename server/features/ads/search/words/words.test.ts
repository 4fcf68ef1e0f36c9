import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toListed } from '../../../../../contract/filters.ts';
import { foldText } from './fold.ts';
import { buildGrammar } from './grammar.ts';
import { readAd } from './index-words.ts';
import { readSearch } from './read-search.ts';
import { spellOut } from './runs.ts';
import { MAX_WORD, splitUnits } from './split.ts';

const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'tr',
  'pl',
  'el',
  'ru',
  'ar',
  'he',
  'hi',
  'zh',
  'ja',
  'ko',
  'th',
  'vi',
];
const grammar = buildGrammar(LANGUAGES);

const read = (title: string, description = '') =>
  readAd({ title, description, categoryId: 1, details: [], labels: [] }, grammar);

/** Whether an ad with this title has each term of the search, as typed. */
const finds = (search: string, title: string): boolean => {
  const words = new Set(read(title).all);
  const { terms } = readSearch(search, grammar);
  return (
    terms.length > 0 &&
    terms.every(({ typed }) => typed.some((phrase) => phrase.flatMap(spellOut).every((word) => words.has(word))))
  );
};

/** Each finds the others. */
const EQUAL: string[][] = [
  // English
  ['t-shirt', 't shirt', 'tshirt', 'T-Shirt', 'T‑shirt'],
  ['washer/dryer', 'Washer/Dryer', 'washer dryer', 'washer-dryer'],
  ['MX-5', 'mx5', 'mx 5', 'MX5'],
  ['256gb', '256 GB', '256-GB'],
  ['iphone 14 pro', 'iPhone14 Pro', 'iphone14pro', 'iPhone-14-Pro'],
  ["levi's", 'levis', 'Levi’s', 'LEVI`S'],
  ["o'reilly", 'oreilly', 'O’Reilly'],
  ['e-mail-address', 'email-address', 'e-mailaddress', 'emailaddress'],
  ['Node.js', 'nodejs', 'node js'],
  ['x-t30', 'xt30', 'X T30', 'x-t-30'],
  ['MacBookPro', 'macbookpro', 'MacBook Pro'],
  ['１２Ｖ', '12v', '12 V'],
  ['ﬁlm', 'film'],
  ['55 inch tv', '55 Zoll TV', '55zoll tv', '55-inch tv', '55in tv', '55 pulgadas tv', '５５インチ tv', '55 بوصة tv'],
  ['1tb', '1 TB', '1 terabyte', '1 Tera'],
  ['12V', '12 volt', '12-Volt'],
  ['400 لتر', '٤٠٠ لتر', '400l', '400 Liter'],
  ['2.5 Liter', '2,5l', '2.5 L'],
  ['1.8 TDI', '1,8 TDI', '１．８ TDI', '١٫٨ TDI'],
  ['1.8L', '1,8 l', '1.8-l'],
  ['1,000 pieces', '1.000 pieces', '1000 pieces'],
  // German
  ['Bücher', 'bücher', 'Buecher', 'buecher'],
  ['Strasse', 'Straße', 'STRASSE'],
  ['Kaffee-Maschine', 'Kaffeemaschine', 'kaffee maschine'],
  // French, Spanish, Portuguese
  ["canapé d'angle", 'canape d’angle', 'CANAPÉ D´ANGLE'],
  ['teléfono', 'telefono', 'TELÉFONO'],
  ['niño', 'nino'],
  ['coleção', 'colecao'],
  // Turkish, Polish, Vietnamese
  ['ışık', 'isik', 'IŞIK', 'İSIK'],
  ['łóżko', 'lozko', 'ŁÓŻKO'],
  ['đồng hồ', 'dong ho', 'Đồng Hồ'],
  // Greek, Russian
  ['ποδήλατο', 'ΠΟΔΗΛΑΤΟ', 'ποδηλατο'],
  ['στούντιος', 'ΣΤΟΥΝΤΙΟΣ'],
  ['ёлка', 'елка', 'ЁЛКА'],
  // Arabic, Hebrew, Hindi
  ['أثاث', 'اثاث', 'إثاث'],
  ['سيارة', 'سياره', 'سَيَّارَة', 'سيـــارة'],
  ['مستشفى', 'مستشفي'],
  ['שׁוּלְחָן', 'שולחן'],
  ['ज़मीन', 'जमीन'],
  ['१२३', '123', '١٢٣'],
  // Japanese, Korean
  ['コンピューター', 'コンピュータ', 'ｺﾝﾋﾟｭｰﾀｰ'],
  ['냉장고', '냉장고'.normalize('NFD')],
];

describe.each(EQUAL.map((group) => [group[0]!, group] as const))('%s', (_, group) => {
  test.each(group)('%s finds each spelling of it', (search) => {
    for (const title of group)
      expect({ search, title, isFound: finds(search, title) }).toEqual({ search, title, isFound: true });
  });
});

test.each([
  ['イヤホン', 'ワイヤレスイヤホン 新品'],
  ['自転車', '電動アシスト自転車'],
  ['車', '自転車用ヘルメット'],
  ['カー', 'スポーツカー'],
  ['手机', '全新苹果手机壳'],
  ['机', '苹果手机'],
  ['จักรยาน', 'ขายจักรยานเสือภูเขา'],
  ['dryer', 'Washer/Dryer'],
  ['pickup', 'grill.Pickup only'],
  ['24v', '12V/24V'],
  ['macbook', 'MacBookPro 16'],
  ['armoire', "vends l'armoire"],
  ['levi', "Levi's 501"],
  ['27', 'ski boots 27.5'],
  ['I-Pad', 'iPad 9'],
  ['55 zoll', 'TV 55"'],
  ['55 inch', 'TV 55″, Samsung'],
  ["55''", 'TV 55 Zoll'],
  ['26 inch', '26インチ自転車'],
  ['"iphone 13"', 'iPhone 13'],
  ['usb 3', 'USB 3.0 disk'],
  ['usb 3.0', 'USB 3 disk'],
  ['usb 3', 'USB3.0 disk'],
  ['1.2', 'lens v1.2'],
  ['example', 'see www.example.com/path?a=b'],
])('%s is found inside of %s', (search, title) => {
  expect(finds(search, title)).toBe(true);
});

test.each([
  ['car', 'carpet'],
  ['mx5', 'MX-6'],
  ['55', '5.5 cups'],
  ['5.5', '5 forks, 5 knives'],
  ['18', '1.8 TDI'],
  ['5 inch', '5 in 1 tool'],
  ['I-Pad', 'mouse pad'],
  ['55 inch', '55 cm'],
  ['2.5', '25 inch'],
  ['5', 'MX-56'],
  ['イヤホン', 'イヤリング'],
  ['shirt', 'tshirts'],
])('%s is not found in %s', (search, title) => {
  expect(finds(search, title)).toBe(false);
});

test('stop words count only when nothing else was typed', () => {
  const termsOf = (search: string) => readSearch(search, grammar).terms.map(({ word }) => word);
  expect(termsOf('the who')).toContain('the');
  expect(termsOf('the guitar')).toEqual(['guitar']);
  expect(termsOf('It')).toEqual(['it']);
});

test('a search without letters, digits and emoji has no terms; one of emoji finds them', () => {
  for (const search of ['', '   ', '…', '-- !!', '́́', '\u200F\u200E', '&<>'])
    expect(readSearch(search, grammar).terms).toEqual([]);
  expect(finds('🚲', 'Nice bike 🚲!')).toBe(true);
  expect(finds('❤', 'love ❤️')).toBe(true);
  expect(finds('👨‍👩‍👧', '👨‍👩‍👧 family')).toBe(true);
  expect(finds('🚲 bike', 'bike')).toBe(true);
});

/** Any text, and text that is likely to hurt. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc
    .array(
      fc.constantFrom(
        'a',
        'B',
        'ß',
        'İ',
        '5',
        '٣',
        '-',
        "'",
        ' ',
        '/',
        '.',
        'é',
        '\u0301',
        'ー',
        'カ',
        '車',
        'ไ',
        '🚲',
        '\u200D',
        '\uFE0F',
        'ﷺ',
        'ﬃ',
      ),
      { maxLength: 120 },
    )
    .map((parts) => parts.join('')),
);

test('folding a second time changes nothing', () => {
  fc.assert(fc.property(anyText, (text) => foldText(foldText(text)) === foldText(text)));
});

test('a word of an ad is a word of itself, in every spelling', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const unit of splitUnits(text).filter(({ isRun }) => !isRun))
        for (const spelling of unit.spellings)
          expect(splitUnits(spelling).flatMap((again) => again.spellings)).toContain(spelling);
    }),
  );
});

test('an ad is found by any text that is its title, and by each of its words', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      if (readSearch(text, grammar).terms.length === 0) return;
      expect(finds(text, text)).toBe(true);
    }),
  );
});

const WORD = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789äöüé'),
  minLength: 1,
  maxLength: 12,
});

test('a hyphen, a blank and nothing between two words mean the same', () => {
  fc.assert(
    fc.property(WORD, WORD, fc.constantFrom('-', ' ', ''), fc.constantFrom('-', ' ', ''), (a, b, one, other) => {
      // one of the two is joined
      if (one === ' ' && other === ' ') return;
      const [search, title] = [`${a}${one}${b}`, `${a}${other}${b}`];
      if (search === title) return;
      // nothing in the search: the index of words knows where to split (parse-search.ts), a title has the pair as one
      expect({ search, title, isFound: finds(search, title) }).toEqual({ search, title, isFound: true });
    }),
  );
});

test('no word is longer than 60 characters, and an ad has at most 400', () => {
  fc.assert(
    fc.property(anyText, fc.string({ unit: 'binary', maxLength: 1500 }), (title, description) => {
      const { all, title: own } = read(title, description);
      expect(all.length).toBeLessThanOrEqual(400);
      for (const word of [...all, ...own]) expect(word.length).toBeLessThanOrEqual(MAX_WORD);
    }),
  );
});

test('the browser knows of every character whether a search for it has a word, apart from ©, ®, and letters that stand for nothing', () => {
  const others: string[] = [];
  for (let code = 1; code < 0x2_0000; code++) {
    const search = `- ${String.fromCodePoint(code)} -`;
    if (search.isWellFormed() && 'search' in toListed({ search }) !== splitUnits(search).length > 0)
      others.push(code.toString(16));
  }
  expect(others.join(' ')).toBe(
    'a9 ae 2b9 2bb 2bc 2bd 374 640 115f 1160 3164 fcf2 fcf3 fcf4 fe71 fe77 fe79 fe7b fe7d fe7f ffa0',
  );
});
