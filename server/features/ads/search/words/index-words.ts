import type { Grammar } from './grammar.ts';
import { areJoinable, isOftenJoined, joinSpellings, listChains, listMeasures, listOwnMeasures } from './join.ts';
import { listKnown, listNames } from './runs.ts';
import { listHan, listPairs, splitUnits, type Unit } from './split.ts';
import { readTitle } from './title.ts';

const MOST_WORDS = 400;

/** The texts of an ad that are searched. */
export interface AdTexts {
  title: string;
  description: string;
  categoryId: number;
  /** Details that are words. */
  details: readonly string[];
  /** Brand and model, which say what it is. */
  labels: readonly string[];
}

/** The words of an ad, by where they stand. All are folded; stems are not among them. */
export interface AdWords {
  /** All of them, at most 400; the title's first. */
  all: string[];
  title: string[];
  /** Of the part of the title that names the thing, if another part says what it is for. */
  head: string[];
  /** What the thing is called, if the title only has the name of the product. */
  names: string[];
  labels: string[];
  /** Those that people may type: without the pairs of the title. */
  vocabulary: string[];
  /** Lexemes that are no words: the category, how many accessories the title names. */
  marks: string[];
}

/** The words of one unit, in every spelling. */
const listOwn = (unit: Unit): string[] => {
  const { spellings, parts, bare, others, isRun } = unit;
  if (isRun) return spellings.flatMap((run) => [...listPairs(run), ...listHan(run)]);
  const pairs = parts.length > 2 ? parts.slice(1).flatMap((part, i) => joinSpellings([parts[i]!, part])) : [];
  return [
    ...spellings,
    ...parts.flatMap((part) => part.spellings),
    ...pairs,
    ...bare,
    ...others,
    ...listOwnMeasures(unit),
  ];
};

const listJoined = (units: readonly Unit[], isWanted: (unit: Unit, next: Unit) => boolean): string[] =>
  units.slice(1).flatMap((next, i) => {
    const unit = units[i]!;
    return areJoinable(unit, next) && isWanted(unit, next) ? joinSpellings([unit, next]) : [];
  });

const NO_WORDS: ReadonlySet<string> = new Set();

/** The words of a text, also those that other spellings of it have. `isTitle`: with each pair of neighbours as one word. */
export const listWords = (
  units: readonly Unit[],
  isTitle: boolean,
  stopWords: ReadonlySet<string> = NO_WORDS,
): string[] => [
  ...units.flatMap(listOwn),
  ...listJoined(units, (unit, next) => isTitle || isOftenJoined(unit, next, stopWords)),
  ...listChains(units).flatMap(joinSpellings),
  ...units.flatMap((unit, i) => listMeasures(units[i - 1], unit)),
];

const unique = (words: readonly string[]): string[] => [...new Set(words)].filter(Boolean);

/** The lexeme that every ad of a category has. */
export const markCategory = (id: number): string => `#c${id}`;

/** The lexeme of titles that name at least this many accessories. */
export const markAccessories = (count: number): string => `#a${count}`;

/** The lexeme of titles that say what the thing is for. */
export const MARK_PURPOSE = '#for';

export const MOST_ACCESSORIES = 3;

/** The words of an ad for the index. Linear in the length of its texts. */
export const readAd = (ad: AdTexts, grammar: Grammar): AdWords => {
  const title = splitUnits(ad.title);
  const description = splitUnits(ad.description);
  const details = ad.details.map((text) => splitUnits(text));
  const { head, purpose, accessories, nouns } = readTitle(title, grammar);
  const labels = ad.labels.flatMap((text) => listWords(splitUnits(text), true));
  const names = nouns.flatMap((text) => listWords(splitUnits(text), true));
  const own = [title, ...details, ...nouns.map((text) => splitUnits(text)), description].flatMap((units) =>
    listWords(units, false, grammar.stopWords),
  );
  const whole = (known: readonly Unit[], list = listKnown) =>
    known.flatMap(({ isRun, spellings }) => (isRun ? list(spellings[0]!, grammar.runWords) : []));
  const all = [
    ...listWords(title, true),
    ...names,
    ...labels,
    ...details.flatMap((units) => listWords(units, true)),
    ...own,
  ];
  return {
    all: unique(all).slice(0, MOST_WORDS),
    title: unique([...listWords(title, true), ...whole(title)]),
    head: purpose.length > 0 ? unique([...listWords(head, true), ...whole(head, listNames)]) : [],
    names: unique(names),
    labels: unique([...labels, ...ad.labels.flatMap((text) => whole(splitUnits(text)))]),
    vocabulary: unique(own).slice(0, MOST_WORDS),
    marks: [
      markCategory(ad.categoryId),
      ...(purpose.length > 0 ? [MARK_PURPOSE] : []),
      ...Array.from({ length: Math.min(accessories, MOST_ACCESSORIES) }, (_, i) => markAccessories(i + 1)),
    ],
  };
};
