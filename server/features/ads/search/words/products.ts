import { BEFORE_PLATFORMS, PRODUCTS } from '../languages/products.ts';
import { foldText } from './fold.ts';
import type { Unit } from './split.ts';

/** A kind of product, in the languages of a marketplace. */
export interface ProductNames {
  /** Finds a name in folded words with a blank around each. */
  pattern: RegExp;
  nouns: readonly string[];
  /** Whether other things name it to say what they are for. */
  isPlatform: boolean;
}

export interface Products {
  kinds: readonly ProductNames[];
  /** Words before the name of a platform that is itself for sale. */
  beforePlatforms: ReadonlySet<string>;
}

/** Letters and digits of folded words: all but the signs of ASCII. V8 needs 150 ms for the classes of Unicode in so many names. */
const LETTERS = String.raw`[^\0-\/:-@\[-\x60\{-\x7f]*`;

const toPattern = (names: string): RegExp => {
  const each = foldText(names)
    .split(', ')
    .map((name) => name.replaceAll('*', LETTERS).replaceAll('#', String.raw`\d+${LETTERS}`));
  return new RegExp(` (?:${each.join('|')})(?= )`, 'u');
};

const list = (words: string): string[] => words.split(', ').map(foldText);

/** @param languages ISO codes */
export const buildProducts = (languages: readonly string[]): Products => ({
  kinds: PRODUCTS.map(({ nouns, names, isPlatform }) => ({
    pattern: toPattern(names),
    nouns: languages.flatMap((code) => nouns[code] ?? []),
    isPlatform: isPlatform === true,
  })),
  beforePlatforms: new Set([
    ...list(BEFORE_PLATFORMS),
    ...PRODUCTS.filter(({ isPlatform }) => isPlatform).flatMap(({ nouns }) => Object.values(nouns).flatMap(list)),
  ]),
});

export interface FoundProduct {
  nouns: readonly string[];
  isPlatform: boolean;
  /** Places of its name among the units. */
  from: number;
  to: number;
}

const countWords = (text: string): number => text.split(' ').filter(Boolean).length;

/** The products that these units name. */
export const findProducts = (units: readonly Unit[], { kinds }: Products): FoundProduct[] => {
  const text = ` ${units.map(({ spellings }) => spellings[0]).join(' ')} `;
  return kinds.flatMap(({ pattern, nouns, isPlatform }) => {
    const found = pattern.exec(text);
    if (!found) return [];
    const from = countWords(text.slice(0, found.index));
    return [{ nouns, isPlatform, from, to: from + countWords(found[0]) }];
  });
};
