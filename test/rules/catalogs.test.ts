import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OF_SERVER } from '../../web/scripts/catalogs.ts';
import { compareCatalog, compareCatalogs, listUnused } from './catalogs.ts';

test('each language has every text, with its placeholders and tags', () => {
  const { unchanged: _, ...faults } = compareCatalogs();
  expect(faults).toEqual({ missing: [], unknown: [], wrong: [] });
});

test('the code uses every text', () => expect(listUnused()).toEqual([]));

/** A line never begins with "?", and never ends with "«". */
const LOOSE: Partial<Record<string, RegExp>> = { fr: /[\wÀ-ÿ)}>] [;:!?»%](?![\w/])|«[^\u202f]|[^\u202f]»/ };

const listLoose = (language: string): string[] =>
  globSync([`messages/${language}/*.json`, `server/features/pages/built-in/${language}/*.md`]).flatMap((file) =>
    readFileSync(file, 'utf8')
      .replace(/": "/g, '')
      .split('\n')
      .filter((line) => LOOSE[language]!.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );

test('French marks stay with their words', () => {
  expect(listLoose('fr')).toEqual([]);
  expect(['Pourquoi ?', '« tout »', 'a : b'].map((text) => LOOSE.fr!.test(text))).toEqual([true, true, true]);
});

test('pages say nothing of the catalogs that browsers do not load', () => {
  // 'mistakes.csv' is the name of a file
  const key = new RegExp(`'(${OF_SERVER.join('|')})\\.(?!csv')[a-z]\\w*'`, 'g');
  const sources = globSync('web/src/**/*.{ts,tsx}', { exclude: ['**/*.test.*'] });
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap((file) => readFileSync(file, 'utf8').match(key) ?? [])).toEqual([]);
});

const ENGLISH = {
  hello: 'Hello {{name}}',
  ads_one: '{{count}} ad',
  ads_other: '{{count}} ads',
  terms: 'See <a>this</a>',
};

const compare = (own: Record<string, string>, language: 'de' | 'ar' = 'de') =>
  compareCatalog(own, ENGLISH, language, 'x');

test('faults are found', () => {
  const own = { hello: 'Hallo {{nom}}', ads_other: '{{count}} Anzeigen', terms: 'Siehe dies', more: 'Mehr' };
  expect(compare(own)).toEqual({
    missing: ['x.ads_one'],
    unknown: ['x.more'],
    wrong: ['x.hello needs {{name}}', 'x.terms needs </a> <a>'],
    unchanged: [],
  });
});

test('a language has its own plurals, and one of them may do without the number', () => {
  const own = { hello: '{{name}}', terms: '<a></a>', ads_one: 'إعلان واحد', ads_two: 'إعلانان' };
  const others = { ads_zero: 'لا إعلانات', ads_few: '{{count}} إعلانات', ads_many: '{{count}} إعلانًا' };
  expect(compare({ ...own, ...others }, 'ar').missing).toEqual(['x.ads_other']);
  expect(compare({ ...own, ...others, ads_other: '{{count}} إعلان' }, 'ar').wrong).toEqual([]);
});
