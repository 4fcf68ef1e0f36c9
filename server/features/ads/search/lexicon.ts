import { ENGLISH_TEXTS, type Texts } from '../../../../contract/i18n.ts';
import { WRITTEN_LANGUAGES } from '../../../../contract/languages.ts';
import { type AppContext, perProcess } from '../../../app-context.ts';
import { readTexts } from '../../../lib/catalogs.ts';
import { createStemmer, type Stemmer } from './stems-repository.ts';
import { stemArabic } from './words/arabic.ts';
import { buildGrammar, type Grammar } from './words/grammar.ts';
import { createSingulars } from './words/plurals.ts';

/** PostgreSQL's stemmers by ISO code of the language. A language without one has no stems; Arabic has its own. */
export const DICTIONARIES: Readonly<Record<string, string>> = {
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** The version of the word rules. Raise it when a text has other words than before: the job then indexes all ads again. */
const RULES = 7;

/** What words mean on this marketplace. */
export interface Lexicon {
  grammar: Grammar;
  stemmer: Stemmer;
  /** In which the choices of details are words of their ads. */
  texts: readonly Texts[];
  /** By which rules and languages the terms of ads are made. */
  rules: string;
}

const createStem = (languages: readonly string[]): ((word: string) => string) => {
  const toSingular = createSingulars(languages);
  return languages.includes('ar') ? (word) => toSingular(stemArabic(word)) : toSingular;
};

/** @param languages ISO codes */
export const createLexicon = (languages: readonly string[]): Lexicon => ({
  grammar: buildGrammar(languages),
  stemmer: createStemmer(
    languages.flatMap((code) => (DICTIONARIES[code] ? [`${DICTIONARIES[code]}_stem`] : [])),
    createStem(languages),
  ),
  texts: [
    ENGLISH_TEXTS,
    ...WRITTEN_LANGUAGES.filter((one) => one !== 'en' && languages.includes(one.split('-')[0]!)).map(readTexts),
  ],
  rules: `${RULES} ${languages.join(',')}`,
});

/** The lexicon of this process, by its setting SEARCH_LANGUAGES. */
export const lexiconOf = perProcess(({ config }: AppContext) => createLexicon(config.searchLanguages));
