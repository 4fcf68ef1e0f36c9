import type { Grammar } from './grammar.ts';
import { areJoinable, joinSpellings, listChains, listMeasures, listOwnMeasures } from './join.ts';
import { canStandAlone, cutRun, isGenitive, markWhole } from './runs.ts';
import { listPairs, splitUnits, type Unit } from './split.ts';
import { readTitle } from './title.ts';

/** Words that all have to be there. */
export type Phrase = readonly string[];

/** One thing that the searcher wants of an ad: it has to have one of these phrases. */
export interface Term {
  /** As typed, in every spelling that means the same. */
  typed: Phrase[];
  /** The folded word as a whole; of a script without spaces, the run. */
  word: string;
}

/** A search, read by itself: what the index knows of its words is not known yet. */
export interface Search {
  terms: Term[];
  /** One to three words that follow one another, and the terms that they are. */
  phrases: { text: string; from: number; to: number }[];
  /** What may be the beginning of a longer word: the last one. */
  beginning: string | undefined;
  /** How many accessories it names. */
  accessories: number;
}

/** More terms than people type, in characters of scripts without spaces, too. */
const MOST_TERMS = 24;
const LONGEST_PHRASE = 3;
const SHORTEST_PART = 3;

const listTyped = (unit: Unit, { runWords }: Grammar): Phrase[] => {
  const { spellings, parts, bare, isRun } = unit;
  if (isRun) {
    // a Katakana word means the same without its last long-vowel mark, unless it is one letter
    const run = spellings.find((spelling) => [...spelling].length > 1) ?? spellings[0]!;
    return [runWords.words.has(run) ? [markWhole(run)] : listPairs(run)];
  }
  const isSplit =
    parts.length > 1 &&
    (parts.some(({ isNumber }) => isNumber) || parts.every((part) => part.spellings[0]!.length >= SHORTEST_PART));
  const numbered = isSplit ? [0, 1].map((i) => parts.map((part) => part.spellings[i] ?? part.spellings[0]!)) : [];
  return [
    ...spellings.map((word) => [word]),
    ...numbered,
    ...[...bare, ...listOwnMeasures(unit)].map((word) => [word]),
  ];
};

const uniquePhrases = (phrases: readonly Phrase[]): Phrase[] => [
  ...new Map(phrases.map((phrase) => [phrase.join(' '), phrase])).values(),
];

/** A blank or hyphen between two words may be missing in the ad, and either of them be a part of a longer word. */
const addJoined = (units: readonly Unit[], grammar: Grammar): Phrase[][] => {
  const typed = units.map((unit) => listTyped(unit, grammar));
  const add = (members: readonly Unit[], words: readonly string[]) => {
    for (const member of members) typed[units.indexOf(member)]!.push(...words.map((word) => [word]));
  };
  for (const [i, next] of units.entries()) {
    const unit = units[i - 1];
    if (unit && areJoinable(unit, next)) add([unit, next], joinSpellings([unit, next]));
    if (unit) add([unit, next], listMeasures(unit, next));
  }
  for (const chain of listChains(units)) add(chain, joinSpellings(chain));
  return typed;
};

/** Which units are stop words, alone or with a neighbour: "second hand". */
const listStops = (units: readonly Unit[], { stopWords }: Grammar): boolean[] => {
  const isPair = units.map(({ spellings }, i) => stopWords.has(`${spellings[0]} ${units[i + 1]?.spellings[0]}`));
  // "I-Pad" is no "pad"
  const isPrefix = (i: number) => units[i]!.spellings[0]!.length === 1 && units[i + 1]?.gap === 'hyphen';
  return units.map(
    ({ spellings }, i) => isPair[i] || isPair[i - 1] || (!isPrefix(i) && spellings.some((word) => stopWords.has(word))),
  );
};

/** Words that follow one another, folded: the form in which phrases are compared. */
const joinPhrase = (units: readonly Unit[]): string =>
  units
    .map(({ spellings, gap, isRun }, i) => (i === 0 || (isRun && gap === 'none') ? '' : ' ') + spellings[0]!)
    .join('');

/** The words of a text as one phrase. */
export const foldPhrase = (text: string): string => joinPhrase(splitUnits(text));

/** A run as the known words that it consists of, and what is between them. */
const cutUnit = (unit: Unit, { runWords }: Grammar): Unit[] => {
  const pieces = unit.isRun ? cutRun(unit.spellings[0]!, runWords) : [];
  if (!pieces.some(({ isKnown }) => isKnown)) return [unit];
  return pieces
    .filter((piece) => canStandAlone(piece.text) && !isGenitive(piece))
    .map(({ text }, i) => ({ ...unit, gap: i === 0 ? unit.gap : 'none', spellings: [text] }));
};

/** What an ad has that says the same as this text: its words, or all of them as one. */
export const listPhrases = (text: string, grammar: Grammar): Phrase[] => {
  const units = splitUnits(text);
  const words = units.flatMap((unit) => listTyped(unit, grammar)[0] ?? []);
  const isOne = units.length > 1 && units.slice(1).every((unit, i) => areJoinable(units[i], unit));
  return uniquePhrases([words, ...(isOne ? joinSpellings(units).map((word) => [word]) : [])]);
};

/**
 * Reads any text that somebody typed. No terms: it has no letter, digit or emoji. Linear. `isOpen`: the last word is still
 * being typed, so that even a stop word may become another.
 */
export const readSearch = (text: string, grammar: Grammar, isOpen = false): Search => {
  const all = splitUnits(text);
  const words = all.filter(({ isEmoji }) => !isEmoji);
  const whole = (words.length > 0 ? words : all).slice(0, MOST_TERMS);
  const units = whole.flatMap((unit) => cutUnit(unit, grammar)).slice(0, MOST_TERMS);
  const typed = addJoined(units, grammar);
  const wanted = listStops(units, grammar).map((isStop) => !isStop);
  // stop words count when there is nothing else
  const isKept = (i: number) => wanted[i] || !wanted.includes(true) || (isOpen && i === units.length - 1);
  const kept = units.flatMap((unit, i) => (isKept(i) ? [{ unit, typed: typed[i]! }] : []));
  const last = kept.at(-1)?.unit;
  const phrases = kept.flatMap((_, from) =>
    Array.from({ length: Math.min(LONGEST_PHRASE, kept.length - from) }, (_, more) => ({
      text: joinPhrase(kept.slice(from, from + more + 1).map(({ unit }) => unit)),
      from,
      to: from + more,
    })),
  );
  return {
    terms: kept.map(({ unit, typed: phrasesOfTerm }) => ({
      typed: uniquePhrases(phrasesOfTerm),
      word: unit.spellings[0]!,
    })),
    phrases,
    beginning: last !== undefined && last === all.at(-1) && !last.isEmoji ? last.spellings[0] : undefined,
    accessories: readTitle(whole, grammar).accessories,
  };
};
