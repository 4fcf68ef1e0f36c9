import type { SimilarWord } from './repository.ts';

/** Shorter words resemble too many others. */
const SHORTEST = 4;
/** A word that exists is taken for misspelt only where another is so much more frequent. */
const TIMES_AS_FREQUENT = 10;

/** Letters to insert, leave out, replace or swap with the next to make one word the other. */
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

/** A word that can be told from its likes. */
export const isCorrectable = (word: string): boolean => word.length >= SHORTEST && !/\d/.test(word);

/** Words that may have been meant, best first; none for a word that is probably right. */
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
