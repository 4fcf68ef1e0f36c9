import { LANGUAGES } from '../languages/index.ts';
import { foldText, listSpellings } from './fold.ts';
import { splitUnits, type Unit } from './split.ts';

/** What some words do to the others in the languages of a marketplace. Words are folded. */
export interface Grammar {
  /** ISO codes. */
  languages: readonly string[];
  stopWords: ReadonlySet<string>;
  /** Words behind which stands what an accessory is for. */
  forWords: ReadonlySet<string>;
  /** Behind such a word they do not mean that: "for sale". */
  notFor: ReadonlySet<string>;
  /** Words behind which only extras follow. */
  withWords: ReadonlySet<string>;
  accessories: ReadonlySet<string>;
  /** Accessories in scripts without spaces: parts of a run. */
  accessoryRuns: readonly string[];
  /** Ends of what an accessory is for, in scripts without spaces. */
  forSuffixes: readonly string[];
  hasCompounds: boolean;
}

/** Languages whose compounds end with the word that says what the thing is. */
const WITH_COMPOUNDS = ['de', 'nl', 'sv', 'da', 'no'];

const foldAll = (words: readonly string[]): Set<string> => new Set(words.flatMap(listSpellings));

const isRun = (word: string): boolean => splitUnits(word).every((unit: Unit) => unit.isRun);

/** @param languages ISO codes; one without data has no such words */
export const buildGrammar = (languages: readonly string[]): Grammar => {
  const known = languages.flatMap((code) => LANGUAGES[code] ?? []);
  const accessories = known.flatMap((language) => language.accessories);
  return {
    languages,
    stopWords: foldAll(known.flatMap(({ stopWords }) => stopWords)),
    forWords: foldAll(known.flatMap(({ forWords }) => forWords)),
    notFor: foldAll(known.flatMap(({ notFor }) => notFor)),
    withWords: foldAll(known.flatMap(({ withWords }) => withWords)),
    accessories: foldAll(accessories),
    accessoryRuns: accessories.filter(isRun).map(foldText),
    forSuffixes: known.flatMap(({ forSuffixes = [] }) => forSuffixes),
    hasCompounds: languages.some((code) => WITH_COMPOUNDS.includes(code)),
  };
};
