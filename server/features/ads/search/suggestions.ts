import { LIMITS } from '../../../../contract/limits.ts';
import type { Suggestions } from '../../../../contract/search.ts';
import type { AppContext } from '../../../app-context.ts';
import type { CategoryRow } from '../../../db/rows.ts';
import { listNamesIn } from '../../categories/names.ts';
import { findCategory, listCategories } from '../../categories/repository.ts';
import { lexiconOf } from './lexicon.ts';
import { readMeanings } from './meanings.ts';
import { type ParsedSearch, parseSearch, parseWords } from './parse-search.ts';
import { toWordFilter } from './resolve-filter.ts';
import { countEdits } from './spelling.ts';
import type { Grammar } from './words/grammar.ts';
import { listWords } from './words/index-words.ts';
import { foldPhrase } from './words/read-search.ts';
import { listKnown, unmark } from './words/runs.ts';
import { splitUnits, type Unit } from './words/split.ts';
import { type AdText, countByCategory, listSimilarWords, listTexts, type SimilarWord } from './words-repository.ts';

/** Shorter words resemble too many others. */
const MIN_LENGTH = 4;
/** That of a short word resembles anything. */
const SHORTEST_STEM = 5;
/** An existing word counts as misspelt only if a similar one is this many times as frequent. */
const TIMES_AS_FREQUENT = 10;

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

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

const MAX_CATEGORIES = 3;
const MAX_CORRECTED_WORDS = 6;
const ATTEMPTS = 3;
const SAMPLE_ADS = { completions: 32, corrections: 12 };
const TITLE_WEIGHT = 5;

/** A search as its last word, which may be unfinished, and what is before it. */
const splitLast = (search: string): { rest: string; last: string } => {
  const word = search.match(WORD)?.at(-1) ?? '';
  const last = search.endsWith(word) ? word : '';
  return { rest: search.slice(0, search.length - last.length), last };
};

/** A word of a text: folded, and as it stands there. */
interface WrittenWord {
  word: string;
  spellings: readonly string[];
  written: string;
}

/** The words of a unit as people type them. */
const listTyped = (unit: Unit, { runWords }: Grammar): WrittenWord[] => {
  const { spellings, parts, isRun, isEmoji } = unit;
  if (isEmoji) return [];
  if (isRun)
    return listKnown(spellings[0] ?? '', runWords).map((lexeme) => {
      const word = runWords.words.get(unmark(lexeme))!;
      return { word, spellings: [word], written: word };
    });
  return [unit, ...parts].flatMap((one) => {
    const [word] = one.spellings;
    return word === undefined ? [] : [{ word, spellings: one.spellings, written: one.written }];
  });
};

/** The words of texts that begin so, the most frequent first, with how they are written; a title counts more. */
const rankWords = (texts: readonly AdText[], beginning: string, grammar: Grammar): Map<string, string> => {
  const weights = new Map<string, { weight: number; written: string }>();
  const add = (text: string, weight: number) => {
    const words = new Map(splitUnits(text).flatMap((unit) => listTyped(unit, grammar).map((one) => [one.word, one])));
    for (const { word, spellings, written } of words.values())
      if (spellings.some((spelling) => spelling.startsWith(beginning))) {
        const before = weights.get(word);
        weights.set(word, { weight: (before?.weight ?? 0) + weight, written: before?.written ?? written });
      }
  };
  for (const { title, description } of texts) {
    add(title, TITLE_WEIGHT);
    add(description, 1);
  }
  const ranked = [...weights].toSorted(([a, x], [b, y]) => y.weight - x.weight || (a < b ? -1 : 1));
  return new Map(ranked.map(([word, { written }]) => [word, written]));
};

/** Enough to find some of different stems. */
const RANKED = 30;

/** The first ones, one of each stem: no stop words, and no form of a word that was typed in full. */
const pickWords = async (ctx: AppContext, search: string, ranked: readonly string[]): Promise<string[]> => {
  const { grammar, stemmer } = lexiconOf(ctx);
  const typed = splitUnits(search).flatMap(({ spellings }) => spellings);
  const words = ranked.filter((word) => !grammar.stopWords.has(word)).slice(0, RANKED);
  await stemmer.learn(ctx.reads, [...words, ...typed]);
  const stemOf = (word: string) => stemmer.of(word)[0] ?? word;
  const seen = new Set(typed.filter((word) => ranked.includes(word)).map(stemOf));
  const unseen = words.filter((word) => !seen.has(stemOf(word)) && seen.add(stemOf(word)));
  return unseen.slice(0, LIMITS.suggestions);
};

/** Complete searches that begin with the typed one; if there are none, a corrected one. */
export async function suggestSearches(ctx: AppContext, search: string, viewerId?: string): Promise<string[]> {
  const { rest, last } = splitLast(search);
  if (last === '') return [];
  const found = await parseSearch(ctx, ctx.reads, search, 'goes-on');
  const beginning = foldPhrase(last);
  const texts = found
    ? await listTexts(ctx.reads, { ...toWordFilter(found), query: found.text, viewerId }, SAMPLE_ADS.completions)
    : [];
  const ranked = rankWords(texts, beginning, lexiconOf(ctx).grammar);
  const words = await pickWords(ctx, search, [...ranked.keys()]);
  if (words.length > 0) return words.map((word) => rest + ranked.get(word)!);
  if (texts.length > 0 || !isCorrectable(beginning)) return [];
  const correction = await correctSearch(ctx, { search });
  return correction === null ? [] : [correction.search];
}

export async function suggestCategories({ reads, config }: AppContext, search: string): Promise<CategoryRow[]> {
  const typed = foldPhrase(search);
  if (typed === '') return [];
  const categories = await listCategories(reads);
  const names = await listNamesIn(reads, categories, config.locales);
  const begins = ({ id }: CategoryRow) => names.get(id)?.some((name) => ` ${foldPhrase(name)}`.includes(` ${typed}`));
  return categories.filter((category) => !category.is_disabled && begins(category)).slice(0, MAX_CATEGORIES);
}

/**
 * The categories with most of the newest ads that match, by the number of these: those of what was typed, or of its first
 * completion if that finds none.
 */
export async function suggestInCategories(
  ctx: AppContext,
  searches: readonly string[],
  viewerId?: string,
): Promise<Suggestions['inCategories']> {
  for (const search of searches.slice(0, 2)) {
    const found = await parseSearch(ctx, ctx.reads, search, 'is-whole');
    if (!found || found.ads === 0) continue;
    const filter = { ...toWordFilter(found), query: found.text, isUnsold: true as const, viewerId };
    const counted = await countByCategory(ctx.reads, filter, LIMITS.suggestionSample, MAX_CATEGORIES);
    if (counted.length > 0) return counted.map((row) => ({ search, ...row }));
  }
  return [];
}

/** With the words that have synonyms: ads may say what they mean in other words. */
const addKnown = (word: string, similar: readonly SimilarWord[], known: ReadonlySet<string>): SimilarWord[] => {
  const there = new Set(similar.map((each) => each.word));
  const isNear = (other: string) => other[0] === word[0] && Math.abs(other.length - word.length) <= mostEdits(word);
  return [
    ...similar,
    ...[...known].filter((other) => isNear(other) && !there.has(other)).map((other) => ({ word: other, ads: 0 })),
  ];
};

/** Whether it has a word that people often misspell so. */
export const hasMisspelling = async (ctx: AppContext, search: string): Promise<boolean> => {
  const { synonyms } = await readMeanings(ctx);
  return (search.match(WORD) ?? []).some((word) => synonyms.spellRight(word) !== undefined);
};

/** Whether each word stands in one of the texts. Mostly the first has all. */
const areInTexts = (words: readonly (string | undefined)[], texts: readonly AdText[]): boolean => {
  const missing = new Set(words.filter((word) => word !== undefined));
  for (const { title, description } of texts) {
    if (missing.size === 0) break;
    for (const word of listWords(splitUnits(`${title}\n${description}`), true)) missing.delete(word);
  }
  return missing.size === 0;
};

/** How a word is written in the first of the texts that has it. */
const findWritten = (word: string | undefined, texts: readonly AdText[]): string | undefined => {
  const units = texts.flatMap(({ title, description }) => splitUnits(`${title}\n${description}`));
  return word && units.find(({ spellings, isRun }) => !isRun && spellings.includes(word))?.written;
};

interface Correction {
  search: string;
  words: ParsedSearch;
}

/** The search with likely misspelt words replaced, if that finds an ad; else null. */
export async function correctSearch(
  ctx: AppContext,
  { search = '', category: name }: { search?: string | undefined; category?: string | undefined },
): Promise<Correction | null> {
  const { reads } = ctx;
  const typed = search.match(WORD) ?? [];
  const words = typed.map(foldPhrase);
  if (words.length === 0 || words.length > MAX_CORRECTED_WORDS) return null;
  const category = name ? await findCategory(reads, name) : undefined;
  const { synonyms } = await readMeanings(ctx);
  const rank = async (word: string) =>
    rankCorrections(word, addKnown(word, await listSimilarWords(reads, word), synonyms.words));
  const listOptions = async (word: string): Promise<string[]> => {
    const right = synonyms.spellRight(word);
    if (right !== undefined) return [foldPhrase(right)];
    if (!isCorrectable(word) || synonyms.words.has(word)) return [];
    const ranked = await rank(word);
    if (ranked.length > 0) return ranked;
    // a misspelt plural may be far from a singular, whose stem is near
    const { stemmer } = lexiconOf(ctx);
    await stemmer.learn(reads, [word]);
    const stems = stemmer.of(word).filter((stem) => stem !== word && stem.length >= SHORTEST_STEM);
    return (await Promise.all(stems.map(rank))).flat();
  };
  const options = await Promise.all(words.map(listOptions));
  const attempts = Math.min(ATTEMPTS, Math.max(...options.map(({ length }) => length)));
  const isSecret = (word: string | undefined) => word !== undefined && !synonyms.words.has(word);
  for (let attempt = 0; attempt < attempts; attempt++) {
    const chosen = options.map((ranked) => ranked[attempt] ?? ranked[0]);
    const replace = (words: readonly (string | undefined)[]) => {
      let place = 0;
      return search.replace(WORD, (word) => words[place++] ?? word).trim();
    };
    const corrected = replace(chosen);
    const found = await parseWords(ctx, reads, corrected, 'is-whole');
    if (!found) continue;
    const filter = { ...toWordFilter(found.all), query: found.all.text, categoryId: category?.id };
    const texts = await listTexts(reads, filter, SAMPLE_ADS.corrections);
    // words of hidden ads stay hidden
    if (texts.length > 0 && areInTexts(chosen.filter(isSecret), texts))
      return { search: replace(chosen.map((word) => findWritten(word, texts) ?? word)), words: found };
  }
  return null;
}
