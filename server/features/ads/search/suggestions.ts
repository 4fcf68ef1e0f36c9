import { LIMITS } from '../../../../contract/limits.ts';
import type { AppContext } from '../../../app-context.ts';
import type { CategoryRow } from '../../../db/rows.ts';
import { findCategory, listCategories } from '../../categories/repository.ts';
import {
  type Completion,
  canGrow,
  foldWord,
  listCompletions,
  listSimilarWords,
  listWordsInPublic,
  parseSearch,
  type SimilarWord,
  splitWords,
} from './words-repository.ts';

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

const MAX_CATEGORIES = 3;
const SPARE = 2;
const MAX_CORRECTED_WORDS = 6;
const ATTEMPTS = 3;

function pickSuggestions(completions: readonly Completion[], typed: readonly string[]): string[] {
  const seen = new Set(completions.filter(({ word }) => typed.includes(word)).map(({ stem }) => stem));
  return completions
    .filter(({ stem }) => !seen.has(stem) && seen.add(stem))
    .map(({ word }) => word)
    .slice(0, LIMITS.suggestions);
}

/** Complete searches that begin with the typed one; if there are none, a corrected one. */
export async function suggestSearches(ctx: AppContext, search: string, viewerId?: string): Promise<string[]> {
  const { all, last } = splitWords(search);
  if (!canGrow(last)) return [];
  const query = await parseSearch(ctx.reads, search, 'goes-on');
  const most = LIMITS.suggestions * SPARE;
  const completions = query ? await listCompletions(ctx.reads, { query, viewerId }, foldWord(last), most) : [];
  const rest = all.slice(0, -last.length);
  const typed = foldWord(all).split(/\s+/);
  if (completions.length > 0) return pickSuggestions(completions, typed).map((word) => rest + word);
  if (!isCorrectable(last)) return [];
  const correction = await correctSearch(ctx, { search });
  return correction === null ? [] : [correction];
}

export async function suggestCategories({ reads }: AppContext, search: string): Promise<CategoryRow[]> {
  const typed = foldWord(splitWords(search).all);
  if (typed === '') return [];
  const begins = ({ name }: CategoryRow) => ` ${foldWord(name)}`.includes(` ${typed}`);
  const categories = await listCategories(reads);
  return categories.filter((category) => !category.is_disabled && begins(category)).slice(0, MAX_CATEGORIES);
}

/** The search with likely misspelt words replaced, if that finds an ad; else null. */
export async function correctSearch(
  { reads }: AppContext,
  { search, category: name }: { search: string; category?: string | undefined },
): Promise<string | null> {
  const words = splitWords(search).all.split(/\s+/);
  if (words.length > MAX_CORRECTED_WORDS) return null;
  const category = name ? await findCategory(reads, name) : undefined;
  const options = await Promise.all(
    words.map(async (word) =>
      canGrow(word) && isCorrectable(word)
        ? rankCorrections(foldWord(word), await listSimilarWords(reads, foldWord(word)))
        : [],
    ),
  );
  const attempts = Math.min(ATTEMPTS, Math.max(...options.map(({ length }) => length)));
  for (let attempt = 0; attempt < attempts; attempt++) {
    const chosen = options.map((ranked) => ranked[attempt] ?? ranked[0]);
    const corrected = words.map((word, i) => chosen[i] ?? word).join(' ');
    const query = await parseSearch(reads, corrected, 'is-whole');
    const wanted = chosen.filter((word) => word !== undefined);
    const found = query ? await listWordsInPublic(reads, { query, categoryId: category?.id }, wanted) : [];
    if (wanted.every((word) => found.includes(word))) return corrected;
  }
  return null;
}
