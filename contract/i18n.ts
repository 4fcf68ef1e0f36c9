import { ENGLISH } from './english.ts';
import { getDirection, type Language, toLocale } from './languages.ts';

/** A part of the site whose texts load together: messages/<language>/<area>.json. */
export type Area = keyof typeof ENGLISH;

type PluralCategory = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other';
type WithoutPlural<Key> = Key extends `${infer Name}_${PluralCategory}` ? Name : Key;
type KeysOf<A extends Area> = `${A}.${WithoutPlural<keyof (typeof ENGLISH)[A] & string>}`;

/** A text by area and name. The compiler knows those of the English catalogs. */
export type TextKey = { [A in Area]: KeysOf<A> }[Area];

export type Catalog = Readonly<Record<string, string>>;

/** What a process or a page speaks. */
export interface Texts {
  language: Language;
  catalogs: Readonly<Record<string, Catalog | undefined>>;
  /** That of days and times which a server writes. Browsers know their own. */
  timeZone?: string;
}

export type TextValues = Readonly<Record<string, string | number>>;

/** A text that is said later, in the language of its reader. */
export interface Phrase {
  key: TextKey;
  values?: TextValues | undefined;
}

/** What every process speaks until it is told otherwise. */
export const ENGLISH_TEXTS: Texts = { language: 'en', catalogs: ENGLISH };

let current = ENGLISH_TEXTS;

export const getLanguage = (): Language => current.language;

/** The locale of `Intl` in the language that is spoken now. */
export const getLocale = (): string => toLocale(current.language);

/** The time zone of the reader of what is said now. */
export const getTimeZone = (): string => current.timeZone ?? 'UTC';

/** Which way the language is read that is spoken now. */
export const getReadingDirection = (): 'ltr' | 'rtl' => getDirection(current.language);

/** From now on, `t` and formats speak this language: for the browser, whose page has one. */
export const speak = (texts: Texts): void => {
  current = texts;
};

/**
 * What `make` returns in a language. It must not wait for anything: what runs meanwhile would speak that language, too. A
 * server answers several languages at once.
 */
export const speaking = <T>(texts: Texts, make: () => T extends PromiseLike<unknown> ? never : T): T => {
  const before = current;
  current = texts;
  try {
    return make();
  } finally {
    current = before;
  }
};

const rules: Record<string, Intl.PluralRules> = {};
const numbers: Record<string, Intl.NumberFormat> = {};

const choosePlural = (locale: string, count: number): Intl.LDMLPluralRule => {
  rules[locale] ??= new Intl.PluralRules(locale);
  return rules[locale].select(count);
};

const formatNumber = (locale: string, value: number): string => {
  numbers[locale] ??= new Intl.NumberFormat(locale);
  return numbers[locale].format(value);
};

const toNumber = (count: string | number): number =>
  typeof count === 'number' ? count : Number(count.replace(/\D/g, ''));

/** First strong isolate: a name in Latin letters must not turn the order of the Arabic sentence around it. */
export const isolate = (text: string, language: string): string =>
  getDirection(language) === 'rtl' && text !== '' ? `\u2068${text}\u2069` : text;

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

/**
 * A text in the language that is spoken now. `count`, a number or one that is written already ("1,000+"), chooses the plural.
 * Numbers are written as the language does. Call it while something is rendered: what a module keeps from its start speaks
 * one language for everybody.
 */
export const t = (key: TextKey, values: TextValues = {}): string => {
  const { language, catalogs } = current;
  const locale = toLocale(language);
  const [area = '', name = ''] = key.split('.');
  const catalog = catalogs[area];
  const { count } = values;
  const plural = count === undefined ? undefined : catalog?.[`${name}_${choosePlural(locale, toNumber(count))}`];
  const text = plural ?? catalog?.[name] ?? catalog?.[`${name}_other`] ?? key;
  return text.replace(PLACEHOLDER, (all, placeholder: string) => {
    const value = values[placeholder];
    if (value === undefined) return all;
    return typeof value === 'number' ? formatNumber(locale, value) : isolate(value, language);
  });
};

/** Labels by value. Each is in the language that is spoken when it is read. */
export const labels = <Value extends string>(keys: Record<Value, TextKey>): Readonly<Record<Value, string>> => {
  const read = Object.entries<TextKey>(keys).map(([value, key]) => [value, { enumerable: true, get: () => t(key) }]);
  return Object.defineProperties({}, Object.fromEntries(read)) as Record<Value, string>;
};
