import type { Grammar } from './grammar.ts';
import { findProducts } from './products.ts';
import { cutRun, isGenitive, readKnown } from './runs.ts';
import type { Unit } from './split.ts';

export interface Title {
  /** What the thing is. */
  head: Unit[];
  /** What it is for: "drill" of "Battery for drill". */
  purpose: Unit[];
  /** How many different accessories the head names, before its extras. */
  accessories: number;
  /** What the thing is, by the name of the product: "phone" of "Galaxy S22". */
  nouns: string[];
}

const isOneOf = ({ spellings, parts }: Unit, words: ReadonlySet<string>): boolean =>
  spellings.some((word) => words.has(word)) ||
  // an iPad is no pad
  parts.some((part, i) => parts[i - 1]?.spellings[0]?.length !== 1 && part.spellings.some((word) => words.has(word)));

const isWord = ({ spellings }: Unit, words: ReadonlySet<string>): boolean => spellings.some((word) => words.has(word));

/** Where the purpose begins: behind "for", unless that begins the title or means something else ("for sale"). */
const findPurpose = (units: readonly Unit[], { forWords, notFor, stopWords }: Grammar): number =>
  units.findIndex(
    (unit, i) =>
      isWord(unit, forWords) &&
      units.slice(0, i).some((earlier) => !isWord(earlier, stopWords)) &&
      units[i + 1] !== undefined &&
      !isWord(units[i + 1]!, notFor),
  );

const toUnit = (unit: Unit, spelling: string): Unit[] => (spelling === '' ? [] : [{ ...unit, spellings: [spelling] }]);

const hasKnown = (units: readonly Unit[], { runWords }: Grammar): boolean =>
  units.some((unit) => unit.isRun && cutRun(unit.spellings[0]!, runWords).some(({ isKnown }) => isKnown));

/** Before 用 it is another word: 未使用, 汎用, 兼用. */
const NO_PURPOSE = /[使利費応実信適採汎兼両服器雇運活]$/u;

/** Where a run says what the thing is for: iPhone用ケース. Not where it says for whom, or how much: 子供用, 6畳用. */
const findSuffix = (units: readonly Unit[], i: number, { forSuffixes, notFor }: Grammar): number[] | undefined => {
  const [run = ''] = units[i]!.spellings;
  const isAmount = units[i]!.gap === 'none' && /^\p{N}/u.test(units[i - 1]?.spellings[0] ?? '');
  const found = forSuffixes
    .map((suffix) => [run.indexOf(suffix), suffix.length] as const)
    .filter(([at]) => at !== -1)
    .map(([at, length]) => [at, at + length])
    .find(([at]) => {
      const before = run.slice(0, at);
      if (before === '') return units[i]!.gap === 'none' && i > 0;
      return !NO_PURPOSE.test(before) && !notFor.has(before) && !(isAmount && [...before].length <= 2);
    });
  return found;
};

/** In scripts without spaces the purpose stands before its suffix: iPhone用ケース, or at the end: ケース iPhone用. */
const splitRuns = (units: readonly Unit[], grammar: Grammar): { head: Unit[]; purpose: Unit[] } | undefined => {
  for (const [i, unit] of units.entries()) {
    const found = unit.isRun ? findSuffix(units, i, grammar) : undefined;
    if (found === undefined) continue;
    const [run = ''] = unit.spellings;
    const purpose = toUnit(unit, run.slice(0, found[0]));
    const after = [...toUnit(unit, run.slice(found[1])), ...units.slice(i + 1)];
    let first = i;
    while (first > 0 && (units[first]!.gap === 'none' || units[first]!.gap === 'hyphen')) first--;
    const before = units.slice(0, first);
    const isBefore = after.length === 0 || (hasKnown(before, grammar) && !hasKnown(after, grammar));
    const parts = isBefore
      ? { head: [...before, ...after], purpose: [...units.slice(first, i), ...purpose] }
      : { head: after, purpose: [...units.slice(0, i), ...purpose] };
    if (parts.head.length > 0 && parts.purpose.length > 0) return parts;
  }
  return undefined;
};

/** What a run names, and what only says of which kind that is, or is an extra: the last word of a compound is the thing. */
const readRun = (unit: Unit, { runWords, withSuffixes }: Grammar): { head: Unit[]; purpose: Unit[] } => {
  const pieces = cutRun(unit.spellings[0]!, runWords);
  const head: Unit[] = [];
  const purpose: Unit[] = [];
  for (const [i, { text, isKnown }] of pieces.entries()) {
    const next = pieces[i + 1];
    const thing = next && isGenitive(next) ? pieces[i + 2] : next;
    const isExtra = next !== undefined && !next.isKnown && withSuffixes.some((end) => next.text.startsWith(end));
    const isKind = isKnown && (thing?.isKnown || isExtra);
    (isKind ? purpose : head).push(...toUnit(unit, text));
    if (isKnown && !isKind) purpose.push(...readKnown(text, runWords).others.flatMap((other) => toUnit(unit, other)));
  }
  return { head, purpose };
};

/** Whether a word only says of which kind the run behind it is: "TV" of TVボード. */
const isKindOf = (unit: Unit, next: Unit | undefined, { runWords }: Grammar): boolean =>
  !unit.isRun &&
  !/^\p{N}/u.test(unit.spellings[0]!) &&
  next?.isRun === true &&
  next.gap === 'none' &&
  cutRun(next.spellings[0]!, runWords)[0]?.isKnown === true;

/** What is counted by a number before it: 台 of 2台. */
const isCounter = (unit: Unit, before: Unit | undefined): boolean =>
  unit.isRun &&
  unit.gap === 'none' &&
  [...unit.spellings[0]!].length === 1 &&
  /\p{N}$/u.test(before?.spellings[0] ?? '');

/** The same in which the runs are cut into what they name and what that is for. */
const readRuns = (
  units: readonly Unit[],
  purpose: readonly Unit[],
  grammar: Grammar,
): Pick<Title, 'head' | 'purpose'> => {
  const parts = units.map((unit, i) => {
    if (isCounter(unit, units[i - 1])) return { head: [], purpose: [] };
    if (unit.isRun) return readRun(unit, grammar);
    return isKindOf(unit, units[i + 1], grammar) ? { head: [], purpose: [unit] } : { head: [unit], purpose: [] };
  });
  return { head: parts.flatMap(({ head }) => head), purpose: [...purpose, ...parts.flatMap((part) => part.purpose)] };
};

const SHORTEST_END = 5;

/** Whether a compound ends with an accessory: Wandhalterung. */
const endsWithAccessory = ({ spellings }: Unit, accessories: ReadonlySet<string>): boolean =>
  spellings.some((word) =>
    Array.from({ length: Math.max(0, word.length - SHORTEST_END - 2) }, (_, i) => word.slice(i + 3)).some((end) =>
      accessories.has(end),
    ),
  );

const listAccessories = (unit: Unit, { accessories, runWords, hasCompounds }: Grammar): string[] => {
  if (unit.isRun)
    return readKnown(unit.spellings[0]!, runWords)
      .names.filter((name) => accessories.has(name))
      .slice(0, 1);
  const isAccessory = isOneOf(unit, accessories) || (hasCompounds && endsWithAccessory(unit, accessories));
  return isAccessory ? unit.spellings.slice(0, 1) : [];
};

/** Two words that are an accessory together: "tv unit". */
const listPairs = (units: readonly Unit[], { accessories, stopWords }: Grammar): string[] => {
  const words = units.flatMap((unit) => (isWord(unit, stopWords) ? [] : unit.spellings.slice(0, 1)));
  return words.slice(1).flatMap((next, i) => {
    const pair = `${words[i]} ${next}`;
    return accessories.has(pair) ? [pair] : [];
  });
};

/** How many different accessories these units name, apart from names of products: a Seat Ibiza is no seat. */
const countAccessories = (units: readonly Unit[], grammar: Grammar): number => {
  const products = findProducts(units, grammar.products);
  const others = units.filter((_, i) => !products.some(({ from, to }) => i >= from && i < to));
  return new Set([...others.flatMap((unit) => listAccessories(unit, grammar)), ...listPairs(others, grammar)]).size;
};

/** Up to the word or comma behind which only extras follow; in brackets before it stands what it is like: 【美品】. */
const dropExtras = (units: readonly Unit[], grammar: Grammar): Unit[] => {
  const isQuality = (before: readonly Unit[]) => before.every(({ isRun }) => isRun) && !hasKnown(before, grammar);
  const end = units.findIndex(
    (unit, i) => i > 0 && ((unit.gap === 'apart' && !isQuality(units.slice(0, i))) || isWord(unit, grammar.withWords)),
  );
  return end === -1 ? [...units] : units.slice(0, end);
};

/** A platform that is not named first is what the thing is for: "FIFA 23 PS5". */
const splitPlatform = (
  units: readonly Unit[],
  { products, stopWords }: Grammar,
): { head: Unit[]; purpose: Unit[] } | undefined => {
  const platform = findProducts(units, products).find(({ isPlatform }) => isPlatform);
  if (platform === undefined) return undefined;
  const { from, to } = platform;
  const isItself = units
    .slice(0, from)
    .every((unit) => isWord(unit, stopWords) || isWord(unit, products.beforePlatforms));
  return isItself ? undefined : { head: units.filter((_, i) => i < from || i >= to), purpose: units.slice(from, to) };
};

/** Behind other words the name says what the thing belongs to: "Radio Android 9 Toyota Corolla". */
const MOST_BEFORE_NAME = 2;

const listNouns = (head: readonly Unit[], { products, stopWords }: Grammar): string[] => {
  const wanted = head.filter((unit) => !isWord(unit, stopWords));
  return findProducts(wanted, products).flatMap(({ from, nouns }) => (from > MOST_BEFORE_NAME ? [] : nouns));
};

/** What the words of a title say of the thing. */
export const readTitle = (units: readonly Unit[], grammar: Grammar): Title => {
  const at = findPurpose(units, grammar);
  const parts = splitRuns(units, grammar) ??
    (at === -1 ? splitPlatform(units, grammar) : undefined) ?? {
      head: at === -1 ? [...units] : units.slice(0, at),
      purpose: at === -1 ? [] : units.slice(at + 1),
    };
  const named = readRuns(dropExtras(parts.head, grammar), [], grammar);
  const accessories = countAccessories(named.head, grammar);
  return {
    ...readRuns(parts.head, parts.purpose, grammar),
    accessories,
    nouns: accessories > 0 ? [] : listNouns(parts.head, grammar),
  };
};
