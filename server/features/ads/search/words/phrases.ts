import { listWords } from './index-words.ts';
import { joinSpellings } from './join.ts';
import { splitUnits, type Unit } from './split.ts';

/** The words of a text, to look for phrases in. */
export interface TextWords {
  all: ReadonlySet<string>;
  /** The units in order, between blanks, in each spelling. */
  sequences: string[];
}

const SPELLINGS = [0, 1];

const toSequence = (units: readonly Unit[], spelling: number): string =>
  ` ${units.map(({ spellings }) => spellings[spelling] ?? spellings[0]).join(' ')} `;

/** Linear in the length of the text. */
export const readWords = (text: string): TextWords => {
  const units = splitUnits(text);
  return { all: new Set(listWords(units, true)), sequences: SPELLINGS.map((i) => toSequence(units, i)) };
};

/** Whether a text has these words one after another, in any spelling that means the same. */
export const hasPhrase = ({ all, sequences }: TextWords, phrase: string): boolean => {
  const units = splitUnits(phrase);
  if (units.length === 0) return false;
  // in scripts without spaces a word is a part of a run
  const isRun = units.some((unit) => unit.isRun);
  const found = SPELLINGS.map((i) => toSequence(units, i)).map((sequence) => (isRun ? sequence.trim() : sequence));
  return (
    joinSpellings(units).some((word) => all.has(word)) ||
    sequences.some((sequence) => found.some((part) => sequence.includes(part)))
  );
};

const SIMILAR = 0.9;

/** How much of these units is among the words, in any spelling. */
const shareOf = (units: readonly Unit[], words: ReadonlySet<string>): number => {
  const has = (word: string) => words.has(word);
  const isThere = (unit: Unit, i: number) =>
    (unit.isRun ? listWords([unit], false).every(has) : unit.spellings.some(has)) ||
    (unit.parts.length > 0 && unit.parts.every(({ spellings }) => spellings.some(has))) ||
    [units.slice(i - 1, i + 1), units.slice(i, i + 2)].some(
      (pair) => pair.length === 2 && joinSpellings(pair).some(has),
    );
  return units.filter(isThere).length / Math.max(1, units.length);
};

/** Whether each of two texts has nine of ten words of the other. */
export const haveSameWords = (one: string, other: string): boolean => {
  const [a, b] = [splitUnits(one), splitUnits(other)];
  const wordsOf = (units: readonly Unit[]) => new Set(listWords(units, true));
  return shareOf(a, wordsOf(b)) >= SIMILAR && shareOf(b, wordsOf(a)) >= SIMILAR;
};
