import type { SimilarWord } from './repository.ts';

/** Shorter words resemble too many others. */
const MIN_LENGTH = 4;
/** An existing word counts as misspelt only if a similar one is this many times as frequent. */
const TIMES_AS_FREQUENT = 10;

/**
 * Edit distance: letters to insert, delete, replace or swap. A swap, the most frequent typing error, is one edit;
 * fastest-levenshtein counts two.
 */
export function countEdits(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : replaced;
      row[j] = Math.min(replaced, swapped, row[j - 1]! + 1, rows[i - 1]![j]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

const mostEdits = (word: string): number => (word.length > 5 ? 2 : 1);

export const isCorrectable = (word: string): boolean => word.length >= MIN_LENGTH && !/\d/.test(word);

export function rankCorrections(word: string, similar: readonly SimilarWord[]): string[] {
  if (!isCorrectable(word)) return [];
  const own = similar.find((known) => known.word === word)?.ads ?? 0;
  return similar
    .filter((known) => known.word !== word && known.ads >= own * TIMES_AS_FREQUENT)
    .map((known) => ({ ...known, edits: countEdits(word, known.word) }))
    .filter(({ edits }) => edits <= mostEdits(word))
    .toSorted((a, b) => a.edits - b.edits || b.ads - a.ads)
    .map((known) => known.word);
}
