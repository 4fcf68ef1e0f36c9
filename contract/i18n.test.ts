import { expect, test } from 'vitest';
import { ENGLISH } from './english.ts';
import { getLanguage, getLocale, speaking, type TextKey, type Texts, t } from './i18n.ts';
import type { Language } from './languages.ts';
import { formatPrice } from './money.ts';
import { toPseudo } from './pseudo.ts';

const textsOf = (language: Language, shell: Record<string, string>): Texts => ({ language, catalogs: { shell } });
const say = (texts: Texts, key: string, values = {}) => speaking(texts, () => t(key as TextKey, values));

test('without a language, a process speaks English', () => {
  expect([getLanguage(), getLocale(), t('shell.browse')]).toEqual(['en', 'en-US', 'Browse']);
  expect(t('shell.rateLimited', { count: 1 })).toContain('in 1 second.');
  expect(t('shell.rateLimited', { count: 1200 })).toContain('in 1,200 seconds.');
});

test('a language is spoken for as long as the text is made, also if that fails', () => {
  const german = textsOf('de', { browse: 'Stöbern' });
  expect(say(german, 'shell.browse')).toBe('Stöbern');
  expect(speaking(german, () => formatPrice('1234.5'))).toBe('1.234,50\u00a0$');
  expect(() =>
    speaking(german, (): string => {
      throw new Error('x');
    }),
  ).toThrow();
  expect([getLanguage(), formatPrice('1234.5')]).toEqual(['en', '$1,234.50']);
});

test('Arabic has six plurals', () => {
  const ads = Object.fromEntries(['zero', 'one', 'two', 'few', 'many', 'other'].map((name) => [`ads_${name}`, name]));
  const plurals = [0, 1, 2, 3, 10, 11, 99, 100].map((count) => say(textsOf('ar', ads), 'shell.ads', { count }));
  expect(plurals).toEqual(['zero', 'one', 'two', 'few', 'few', 'many', 'many', 'other']);
});

test('a plural that a language does not tell apart is "other"', () => {
  expect(say(textsOf('ja', { ads_other: '{{count}}件' }), 'shell.ads', { count: 1 })).toBe('1件');
});

test('a number that is written already chooses its plural, too', () => {
  const english = textsOf('en', { ads_one: '{{count}} ad', ads_other: '{{count}} ads' });
  expect(say(english, 'shell.ads', { count: '1,000+' })).toBe('1,000+ ads');
  expect(say(english, 'shell.ads', { count: '1' })).toBe('1 ad');
});

test('what a person wrote is inserted as it is, and isolated in a sentence from right to left', () => {
  const text = { hello: '{{name}}!' };
  const name = '$& {{count}} <b>';
  expect(say(textsOf('en', text), 'shell.hello', { name, count: 3 })).toBe('$& {{count}} <b>!');
  expect(say(textsOf('ar', text), 'shell.hello', { name: 'Ann' })).toBe('\u2068Ann\u2069!');
});

test('a placeholder without a value stays, and a text that is missing is its name', () => {
  expect(say(textsOf('en', { hello: '{{name}}' }), 'shell.hello')).toBe('{{name}}');
  expect(say(textsOf('en', {}), 'shell.hello')).toBe('shell.hello');
});

test('pseudo-languages change letters, never placeholders or tags', () => {
  const catalog = { text: 'See <a>{{count}} ads</a>' };
  expect(toPseudo(catalog, 'en-XA').text).toMatch(/^\[Šéé <a>\{\{count\}\} ádš<\/a>[~ ]+\]$/);
  expect(toPseudo(catalog, 'ar-XB').text).toBe('\u202eSee <a>{{count}} ads</a>\u202c');
  expect(toPseudo(ENGLISH.shell, 'de')).toBe(ENGLISH.shell);
});
