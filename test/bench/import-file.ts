import { toCsvRecord } from '../../contract/csv.ts';
import { LIMITS } from '../../contract/limits.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };

const WORDS = 4000;

/** Texts as long as people write them, of words that recur as words do. */
const toText = (seed: number, words: number): string =>
  Array.from({ length: words }, (_, at) => {
    const drawn = Math.abs(Math.sin(seed * 997 + at * 31)) ** 3;
    return `w${Math.floor(drawn * WORDS).toString(36)}`;
  }).join(' ');

/** As many ads as a file may have in the browser; the first of them say something else than in a file without changes. */
export const toImportFile = (changed: number): string => {
  const slugs = categories.map(({ slug }) => slug);
  const rows = Array.from({ length: LIMITS.importRows }, (_, at) => [
    `ad-${at}`,
    `${toText(at, 5)} ${at}`,
    `${toText(at + LIMITS.importRows, 60)}${at < changed ? ' changed' : ''}`,
    `${(at % 500) + 1}.50`,
    slugs[at % slugs.length]!,
    'Austin',
  ]);
  return [['id', 'title', 'description', 'price', 'category', 'location'], ...rows].map(toCsvRecord).join('');
};

/** As a network delivers it. */
export async function* inPieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += 65_536) yield bytes.subarray(from, from + 65_536);
}
