import { existsSync, readFileSync } from 'node:fs';
import { ENGLISH } from '../../contract/english.ts';
import type { Catalog, Texts } from '../../contract/i18n.ts';
import type { Language } from '../../contract/languages.ts';
import { toPseudo } from '../../contract/pseudo.ts';

const FOLDER = new URL('../../messages/', import.meta.url);

const readFile = (language: Language, area: string): Catalog => {
  const file = new URL(`${language}/${area}.json`, FOLDER);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
};

const known = new Map<Language, Texts>();

/** The catalogs of a language, read once. A text that it lacks is English. */
export function readTexts(language: Language): Texts {
  const texts = known.get(language) ?? {
    language,
    catalogs: Object.fromEntries(
      Object.entries(ENGLISH).map(([area, english]) => [
        area,
        { ...toPseudo(english, language), ...readFile(language, area) },
      ]),
    ),
  };
  known.set(language, texts);
  return texts;
}

interface Reader {
  language?: string | null;
  time_zone?: string | null;
}

/** The texts for a person whom no request asks: in their language and time zone, or those of the marketplace. */
export const readTextsOf = (
  reader: Reader | null,
  { locales, timeZone }: { locales: readonly Language[]; timeZone: string },
): Texts => ({
  ...readTexts(locales.find((language) => language === reader?.language) ?? locales[0] ?? 'en'),
  timeZone: reader?.time_zone ?? timeZone,
});
