import { expect, test } from 'vitest';
import { getLanguage } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { findLanguage, readLanguage, speakingTo, toPageKey } from './language.ts';

const LOCALES: Language[] = ['de', 'en', 'pt-BR', 'ar'];
const languages = { locales: LOCALES, timeZone: 'UTC' };
const ask = (accepted?: string, cookie?: string) => ({
  headers: { ...(accepted !== undefined && { 'accept-language': accepted }), ...(cookie && { cookie }) },
});

test.each([
  [undefined, 'de'],
  ['', 'de'],
  ['en', 'en'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['fr, en;q=0.3, pt;q=0.7', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['ja, zh', 'de'],
  ['en;q=0, ar', 'ar'],
  ['*', 'de'],
  ['de;q=0, *', 'en'],
  ['*, de;q=0, en;q=0.0', 'pt-BR'],
  ['de;q=0, en;q=0, pt;q=0, *', 'ar'],
  ['de-AT, de;q=0, *;q=0.1', 'en'],
  ['pt-PT;q=0, pt', 'pt-BR'],
  ['de;q=0, en;q=0, pt;q=0, ar;q=0, *', 'de'],
  ['ar;q=1.0;x=y', 'ar'],
  [';;;,,,q=1', 'de'],
  ['en;q=many', 'de'],
])('Accept-Language %s gets %s', (accepted, language) => expect(readLanguage(ask(accepted), languages)).toBe(language));

test('the cookie wins, if the marketplace speaks its language', () => {
  expect(readLanguage(ask('en', 'a=b; language=ar'), languages)).toBe('ar');
  expect(readLanguage(ask('en', 'language=ja'), languages)).toBe('en');
  expect(readLanguage(ask('en', 'language=../../x'), languages)).toBe('en');
});

test('a request may ask for nothing', () => expect(findLanguage(ask('ja'), languages)).toBeUndefined());

test('a header of 16 kB is not read to its end', () => {
  expect(readLanguage(ask(`${'x-'.repeat(8000)},en`), languages)).toBe('de');
  expect(readLanguage(ask(`${'ja,'.repeat(5000)}en`), languages)).toBe('de');
});

test('one language is never asked about, and its pages are cached under their address', () => {
  const one = { locales: ['ja'] as const };
  expect(readLanguage(ask('en', 'language=en'), one)).toBe('ja');
  expect(toPageKey('ja', '/?a=b', one)).toBe('/?a=b');
  expect(toPageKey('ar', '/?a=b', languages)).toBe('ar /?a=b');
});

test.each([
  [undefined, undefined, 'en'],
  ['*', undefined, 'en'],
  ['ja', undefined, 'en'],
  ['de', undefined, 'de'],
  ['de', 'language=ar', 'de'],
  ['*', 'language=ar', 'ar'],
])('to a program that accepts %s, with the cookie %s, the API speaks %s', (accepted, cookie, language) =>
  expect(speakingTo(ask(accepted, cookie), languages, () => getLanguage())).toBe(language),
);
