import type { AppContext } from '../../../app-context.ts';
import type { Db } from '../../../db/pools.ts';
import { lexiconOf } from './lexicon.ts';
import { type Meanings, readMeanings } from './meanings.ts';
import { composeQuery, composeWeaker, type Knowledge, type TextQuery } from './words/compose.ts';
import type { Grammar } from './words/grammar.ts';
import { listPhrases, type Phrase, readSearch, type Search } from './words/read-search.ts';
import { spellOut } from './words/runs.ts';
import { lookUpWords } from './words-repository.ts';

/** How to match the last word: as a word, or a prefix if no ad has the word; as a word only; or as a prefix, even "the" of "theater". */
export type LastWord = 'may-go-on' | 'is-whole' | 'goes-on';

const SHORTEST = { compoundEnd: 4, split: 6, part: 3 };

/** Both parts of each place where a word may be two. */
const listSplits = (word: string): Phrase[] => {
  if (!/^\p{L}+$/u.test(word) || word.length < SHORTEST.split) return [];
  const places = Array.from({ length: word.length - 2 * SHORTEST.part + 1 }, (_, i) => i + SHORTEST.part);
  return places.map((at) => [word.slice(0, at), word.slice(at)]);
};

/** What else says each term: synonyms of it, and of the words around it together with it. */
const listSynonyms = ({ terms, phrases }: Search, { synonyms }: Meanings, grammar: Grammar): Phrase[][] => {
  const found: Phrase[][] = terms.map(() => []);
  for (const { text, from, to } of phrases) {
    const others = synonyms.find(text).flatMap((other) => listPhrases(other, grammar));
    for (let i = from; i <= to; i++) found[i]!.push(...others);
  }
  return found;
};

/** Looks up what the index knows of the words of a search: one statement. */
const learn = async (db: Db, ctx: Pick<AppContext, 'root'>, search: Search, lastWord: LastWord): Promise<Knowledge> => {
  const { stemmer, grammar } = lexiconOf(ctx);
  const meanings = await readMeanings(ctx);
  const synonyms = listSynonyms(search, meanings, grammar);
  const splits = search.terms.map(({ word }) => listSplits(word));
  const asked = [...search.terms.flatMap(({ typed }) => typed), ...synonyms.flat(), ...splits.flat()]
    .flat()
    .flatMap(spellOut);
  const found = await lookUpWords(
    db,
    {
      words: [...new Set(asked)],
      ends: grammar.hasCompounds
        ? search.terms
            .map(({ word }) => word)
            .filter((word) => /^\p{L}+$/u.test(word) && word.length >= SHORTEST.compoundEnd)
        : [],
      beginning: (lastWord !== 'is-whole' && search.beginning) || '',
    },
    stemmer,
  );
  const adsOf = (word: string) => (found.known.has(word) ? (found.words.get(word)?.ads ?? 0) : 0);
  const bestSplits = search.terms.flatMap(({ word }, i) => {
    const weigh = (phrase: Phrase) => Math.min(...phrase.map(adsOf));
    const [best] = splits[i]!.filter((phrase) => weigh(phrase) > 0).toSorted((a, b) => weigh(b) - weigh(a));
    return best ? [[word, best] as const] : [];
  });
  const isComplete = lastWord === 'may-go-on' && search.beginning !== undefined && adsOf(search.beginning) > 0;
  return {
    words: found.words,
    completions: isComplete ? [] : found.completions,
    compounds: found.compounds,
    splits: new Map(bestSplits),
    synonyms,
    categories: search.terms.map(({ typed }) => {
      const words = typed.flatMap((phrase) =>
        phrase.length === 1 ? [phrase[0]!, ...(found.words.get(phrase[0]!)?.stems ?? [])] : [],
      );
      return meanings.categories
        .filter((category) => words.some((word) => category.words.has(word)))
        .map(({ id }) => id);
    }),
  };
};

/** A search for the database. */
export interface ParsedSearch {
  all: TextQuery;
  /** For when no ad has all words: some of them suffice. The strictest first. */
  listWeaker: () => TextQuery[];
}

/**
 * What to look for in the database when somebody has typed this. Null when nothing remains: spaces, punctuation. Any text
 * is a search; its length is the caller's to limit.
 */
export const parseWords = async (
  ctx: Pick<AppContext, 'root'>,
  db: Db,
  text: string,
  lastWord: LastWord = 'may-go-on',
): Promise<ParsedSearch | null> => {
  const search = readSearch(text, lexiconOf(ctx).grammar, lastWord === 'goes-on');
  if (search.terms.length === 0) return null;
  const known = await learn(db, ctx, search, lastWord);
  return { all: composeQuery(search, known), listWeaker: () => composeWeaker(search, known) };
};

/** Like parseWords, for those who need no other than the ads with all words. */
export const parseSearch = async (...given: Parameters<typeof parseWords>): Promise<TextQuery | null> =>
  (await parseWords(...given))?.all ?? null;
