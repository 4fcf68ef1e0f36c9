import { LANGUAGES } from '../languages/index.ts';
import { parseGroup } from '../languages/synonyms.ts';
import { listSpellings } from './fold.ts';
import { buildProducts, type Products } from './products.ts';
import type { RunWords } from './runs.ts';
import { HAN, splitUnits, type Unit } from './split.ts';

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
  /** Words in scripts without spaces. */
  runWords: RunWords;
  /** Ends of what an accessory is for, in scripts without spaces. */
  forSuffixes: readonly string[];
  /** What follows an extra there: カバー付き. */
  withSuffixes: readonly string[];
  hasCompounds: boolean;
  /** Words that only look like compounds with another, or mean something else. */
  notCompounds: ReadonlySet<string>;
  products: Products;
}

/** Languages whose compounds end with the word that says what the thing is. */
const WITH_COMPOUNDS = ['de', 'nl', 'sv', 'da', 'no'];

const foldAll = (words: readonly string[]): Set<string> => new Set(words.flatMap(listSpellings));

/** The words that are one run: as runs are folded, and as they are written. */
const listRuns = (words: readonly string[]): [string, string][] =>
  words
    .map((word) => splitUnits(word))
    .filter((units: readonly Unit[]) => units.length === 1 && units[0]!.isRun)
    .map(([unit]): [string, string] => [unit!.spellings[0]!, unit!.spellings.at(-1)!])
    .filter(([run]) => [...run].length > 1 || HAN.test(run));

/** @param languages ISO codes; one without data has no such words */
export const buildGrammar = (languages: readonly string[]): Grammar => {
  const known = languages.flatMap((code) => LANGUAGES[code] ?? []);
  const accessories = known.flatMap((language) => language.accessories);
  const synonyms = known.flatMap((language) => language.synonyms.flatMap((line) => parseGroup(line).words));
  const otherKinds = new Map(listRuns(known.flatMap((language) => language.otherKinds ?? [])));
  const runs = new Map([...otherKinds, ...listRuns([...accessories, ...synonyms])]);
  return {
    languages,
    stopWords: foldAll(known.flatMap(({ stopWords }) => stopWords)),
    forWords: foldAll(known.flatMap(({ forWords }) => forWords)),
    notFor: foldAll(known.flatMap(({ notFor }) => notFor)),
    withWords: foldAll(known.flatMap(({ withWords }) => withWords)),
    accessories: new Set([...foldAll(accessories), ...listRuns(accessories).map(([run]) => run)]),
    runWords: {
      words: runs,
      longest: Math.max(0, ...[...runs.keys()].map((run) => [...run].length)),
      otherKinds: new Set(otherKinds.keys()),
    },
    forSuffixes: known.flatMap(({ forSuffixes = [] }) => forSuffixes),
    withSuffixes: known.flatMap(({ withSuffixes = [] }) => withSuffixes),
    hasCompounds: languages.some((code) => WITH_COMPOUNDS.includes(code)),
    notCompounds: foldAll(known.flatMap(({ notCompounds = [] }) => notCompounds)),
    products: buildProducts(languages),
  };
};
