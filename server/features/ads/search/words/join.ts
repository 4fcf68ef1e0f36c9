import { measure, measureRun } from './measures.ts';
import { MAX_WORD, type Unit } from './split.ts';

/** Number and unit of measure as one word, in the spelling that all of them share: "55inch" of "55 Zoll". */
export const listMeasures = (unit: Unit | undefined, next: Unit): string[] => {
  const number = unit && (unit.parts.at(-1)?.spellings[0] ?? unit.spellings[0]);
  if (number === undefined) return [];
  if (next.isRun && next.gap !== 'apart') return measureRun(number, next.spellings[0]!);
  return areJoinable(unit, next) ? measure(number, next.spellings[0]!) : [];
};

/** The same of one unit: "55zoll". */
export const listOwnMeasures = ({ parts }: Unit): string[] =>
  parts.slice(1).flatMap((part, i) => measure(parts[i]!.spellings[0]!, part.spellings[0]!, true));

/** Whether neighbours may be one word in another spelling: not across a comma, and not in scripts without spaces. */
export const areJoinable = (unit: Unit | undefined, next: Unit | undefined): boolean =>
  unit !== undefined &&
  next !== undefined &&
  (next.gap === 'hyphen' || next.gap === 'blank') &&
  ![unit, next].some(({ isRun, isEmoji }) => isRun || isEmoji);

/** Both written as one word, in the spellings of both. */
export const joinSpellings = (units: readonly { spellings: readonly string[] }[]): string[] => {
  const most = Math.max(...units.map(({ spellings }) => spellings.length));
  const joined = Array.from({ length: most }, (_, i) =>
    units.map(({ spellings }) => spellings[Math.min(i, spellings.length - 1)]).join(''),
  );
  return joined.filter((word) => word.length <= MAX_WORD);
};

const LETTERS_AND_DIGITS = /[\p{L}\p{M}]\n\p{N}|\p{N}\n[\p{L}\p{M}]/u;
const SHORT = 2;

/** Whether a text has this pair as one word, too, although only a blank is between: "mx 5", "t shirt". */
export const isOftenJoined = (unit: Unit, next: Unit, stopWords: ReadonlySet<string>): boolean =>
  next.gap === 'hyphen' ||
  LETTERS_AND_DIGITS.test(`${unit.spellings[0]}\n${next.spellings[0]}`) ||
  ([unit, next].some(({ spellings }) => spellings[0]!.length <= SHORT) &&
    ![unit, next].some(({ spellings }) => stopWords.has(spellings[0]!)));

/** Chains of neighbours with hyphens between, of three units or more. */
export const listChains = (units: readonly Unit[]): Unit[][] => {
  const chains: Unit[][] = [];
  let chain: Unit[] = [];
  for (const unit of units) {
    if (unit.gap === 'hyphen' && areJoinable(chain.at(-1), unit)) chain.push(unit);
    else {
      chains.push(chain);
      chain = [unit];
    }
  }
  return [...chains, chain].filter(({ length }) => length > 2 && length <= 6);
};
