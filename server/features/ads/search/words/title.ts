import type { Grammar } from './grammar.ts';
import type { Unit } from './split.ts';

export interface Title {
  /** What the thing is. */
  head: Unit[];
  /** What it is for: "drill" of "Battery for drill". */
  purpose: Unit[];
  /** How many different accessories the head names, before its extras. */
  accessories: number;
}

const isOneOf = ({ spellings, parts }: Unit, words: ReadonlySet<string>): boolean =>
  spellings.some((word) => words.has(word)) || parts.some((part) => part.spellings.some((word) => words.has(word)));

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

/** In scripts without spaces the purpose stands before its suffix: iPhone用ケース. */
const splitRuns = (units: readonly Unit[], { forSuffixes }: Grammar): { head: Unit[]; purpose: Unit[] } | undefined => {
  for (const [i, unit] of units.entries()) {
    if (!unit.isRun) continue;
    const [run = ''] = unit.spellings;
    const suffix = forSuffixes.find((end) => run.includes(end));
    if (suffix === undefined) continue;
    const at = run.indexOf(suffix);
    const rest = run.slice(at + suffix.length);
    const toUnit = (spelling: string): Unit[] => (spelling === '' ? [] : [{ ...unit, spellings: [spelling] }]);
    const head = [...toUnit(rest), ...units.slice(i + 1)];
    const purpose = [...units.slice(0, i), ...toUnit(run.slice(0, at))];
    if (head.length > 0 && purpose.length > 0) return { head, purpose };
  }
  return undefined;
};

const SHORTEST_END = 5;

/** Whether a compound ends with an accessory: Wandhalterung. */
const endsWithAccessory = ({ spellings }: Unit, accessories: ReadonlySet<string>): boolean =>
  spellings.some((word) =>
    Array.from({ length: Math.max(0, word.length - SHORTEST_END - 2) }, (_, i) => word.slice(i + 3)).some((end) =>
      accessories.has(end),
    ),
  );

const listAccessories = (unit: Unit, { accessories, accessoryRuns, hasCompounds }: Grammar): string[] => {
  if (unit.isRun) return accessoryRuns.filter((word) => unit.spellings.some((run) => run.includes(word)));
  const isAccessory = isOneOf(unit, accessories) || (hasCompounds && endsWithAccessory(unit, accessories));
  return isAccessory ? unit.spellings.slice(0, 1) : [];
};

/** How many different accessories these units name. */
const countAccessories = (units: readonly Unit[], grammar: Grammar): number =>
  new Set(units.flatMap((unit) => listAccessories(unit, grammar))).size;

/** Up to the word or comma behind which only extras follow. */
const dropExtras = (units: readonly Unit[], { withWords }: Grammar): Unit[] => {
  const end = units.findIndex((unit, i) => i > 0 && (unit.gap === 'apart' || isWord(unit, withWords)));
  return end === -1 ? [...units] : units.slice(0, end);
};

/** What the words of a title say of the thing. */
export const readTitle = (units: readonly Unit[], grammar: Grammar): Title => {
  const at = findPurpose(units, grammar);
  const { head, purpose } = splitRuns(units, grammar) ?? {
    head: at === -1 ? [...units] : units.slice(0, at),
    purpose: at === -1 ? [] : units.slice(at + 1),
  };
  return { head, purpose, accessories: countAccessories(dropExtras(head, grammar), grammar) };
};
