import type { Catalog, Texts } from './i18n.ts';

const ACCENTED: Record<string, string> = Object.fromEntries(
  [...'aeiouycnsAEIOUYCNS'].map((letter, index) => [letter, [...'áéíóúýçñšÁÉÍÓÚÝÇÑŠ'][index] ?? letter]),
);

/** What a translator must not change: placeholders and tags. */
const KEPT = /(\{\{\w+\}\}|<\/?\w+>)/;

/** In words that a line can be broken between. */
const fill = (length: number): string => '~'.repeat(length).replace(/~{6}(?=~)/g, '~~~~~~ ');

/** A third longer, as German is, with accents and in brackets: what has none is no text of a catalog. */
const lengthen = (text: string): string => {
  const parts = text.split(KEPT);
  const letters = parts.map((part, index) => (index % 2 ? part : part.replace(/[a-z]/gi, (c) => ACCENTED[c] ?? c)));
  return `[${letters.join('')}${fill(Math.ceil(text.replace(new RegExp(KEPT, 'g'), '').length / 3))}]`;
};

/** English in the order of Arabic. */
const mirror = (text: string): string => `\u202e${text}\u202c`;

const mapCatalog = (catalog: Catalog, change: (text: string) => string): Catalog =>
  Object.fromEntries(Object.entries(catalog).map(([key, text]) => [key, change(text)]));

/** An English catalog in a pseudo-language; other languages keep theirs. */
export const toPseudo = (catalog: Catalog, language: Texts['language']): Catalog => {
  if (language === 'en-XA') return mapCatalog(catalog, lengthen);
  return language === 'ar-XB' ? mapCatalog(catalog, mirror) : catalog;
};
