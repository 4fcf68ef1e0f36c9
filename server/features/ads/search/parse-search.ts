import type { AppContext } from '../../../app-context.ts';
import type { Db } from '../../../db/pools.ts';
import { lexiconOf } from './lexicon.ts';
import { type Meanings, readMeanings } from './meanings.ts';
import { composeQuery, composeWeaker, type Knowledge, type TextQuery } from './words/compose.ts';
import type { Grammar } from './words/grammar.ts';
import { listPhrases, type Phrase, readSearch, type Search } from './words/read-search.ts';
import { cutRun, markWhole, spellOut } from './words/runs.ts';
import { listPairs } from './words/split.ts';
import { lookUpWords } from './words-repository.ts';

/** How to match the last word: as a word, or a prefix if no ad has the word; as a word only; or as a prefix, even "the" of "theater". */
export type LastWord = 'may-go-on' | 'is-whole' | 'goes-on';

const SHORTEST = { compoundEnd: 4, split: 6, part: 3, first: 4 };

/** Both parts of each place where a word may be two. */
const listSplits = (word: string): Phrase[] => {
  if (!/^\p{L}+$/u.test(word) || word.length < SHORTEST.split) return [];
  const places = Array.from({ length: word.length - 2 * SHORTEST.part + 1 }, (_, i) => i + SHORTEST.part);
  return places.map((at) => [word.slice(0, at), word.slice(at)]);
};

/** What else says a term. */
interface Related {
  close: Phrase[];
  /** What alone says too little: "dryer" for the "tumble" of "tumble dryer"; or says a narrower kind. */
  loose: Phrase[];
}

/**
 * What else says each term: synonyms of it, and of the words around it together with it. Where these share words with what
 * was typed, only the others are new: of "bike carrier" for "bike rack" the carrier. One that has no other word is loose.
 */
const listSynonyms = ({ terms, phrases }: Search, { synonyms }: Meanings, grammar: Grammar): Related[] => {
  const withoutStops = (phrase: Phrase): Phrase => {
    const wanted = phrase.filter((word) => !grammar.stopWords.has(word));
    return wanted.length > 0 ? wanted : phrase;
  };
  const toPhrases = (others: readonly string[]): Phrase[] =>
    others.flatMap((other) => listPhrases(other, grammar)).map(withoutStops);
  const find = (text: string): Phrase[] => toPhrases(synonyms.find(text));
  const found = terms.map(({ word, typed }): Related => {
    const far = new Set(synonyms.findFar(word));
    const all = synonyms.find(word);
    const near = toPhrases(all.filter((other) => !far.has(other)));
    // "notebook" is a computer, but in "notebook computer" another word has to say so
    const typedElsewhere = new Set(terms.flatMap((term) => (term.typed === typed ? [] : term.typed.flat())));
    const isElsewhere = (phrase: Phrase) => phrase.every((each) => typedElsewhere.has(each));
    return {
      close: near.filter((phrase) => !isElsewhere(phrase)),
      loose: [...near.filter(isElsewhere), ...toPhrases([...far])],
    };
  });
  const says = terms.map(
    ({ typed }, i) =>
      new Set([...typed, ...found[i]!.close, ...found[i]!.loose].filter(({ length }) => length === 1).flat()),
  );
  for (const { text, from, to } of phrases.filter((phrase) => phrase.from < phrase.to))
    for (const other of find(text)) {
      const shares = (i: number) => other.some((word) => says[i]!.has(word));
      const others = terms.flatMap((_, i) => (i >= from && i <= to && !shares(i) ? [i] : []));
      const rest = other.filter((word) => !terms.some((_, i) => i >= from && i <= to && says[i]!.has(word)));
      const isLoose = rest.length === 0 && other.length === 1;
      for (const i of others) found[i]![isLoose ? 'loose' : 'close'].push(rest.length > 0 ? rest : other);
    }
  return found;
};

/** What else says a compound: its parts, and others that end with a word that means the same. "Damenfahrrad" for "Damenrad". */
const listCompoundSynonyms = (word: string, { synonyms }: Meanings, grammar: Grammar): Phrase[] => {
  const places = Array.from({ length: Math.max(0, word.length - SHORTEST.first - SHORTEST.part + 1) }, (_, i) => i);
  const at = places.map((place) => place + SHORTEST.first).find((place) => synonyms.words.has(word.slice(place)));
  if (at === undefined || synonyms.words.has(word)) return [];
  const [first, last] = [word.slice(0, at), word.slice(at)];
  const others = synonyms
    .find(last)
    .flatMap((other) => listPhrases(other, grammar))
    .filter(({ length }) => length === 1)
    .flat();
  return [[first, last], ...others.slice(0, MOST_OTHERS).flatMap((other) => [[first + other], [first, other]])];
};

const MOST_OTHERS = 4;

/** The same of a known word in a script without spaces: コードレスクリーナー for コードレス掃除機. */
const listRunSynonyms = (word: string, { synonyms }: Meanings, grammar: Grammar): Phrase[] => {
  const { runWords } = grammar;
  if (!runWords.words.has(word)) return [];
  const pieces = cutRun(word, { ...runWords, longest: [...word].length - 1 });
  const last = pieces.at(-1);
  if (pieces.length < 2 || !last?.isKnown) return [];
  const first = pieces.slice(0, -1).flatMap(({ text, isKnown }) => (isKnown ? [markWhole(text)] : listPairs(text)));
  const others = synonyms.find(last.text).flatMap((other) => listPhrases(other, grammar));
  return [[markWhole(last.text)], ...others.slice(0, MOST_OTHERS)].map((end) => [...first, ...end]);
};

/** Plurals of a word that may end a compound. */
const ENDINGS = ['', 'e', 'en', 'er', 'es', 'n', 's'];

/** What compounds with a word may end with. */
const listEnds = (word: string, stems: readonly string[]): string[] => {
  const isEnd = /^\p{L}+$/u.test(word) && word.length >= SHORTEST.compoundEnd;
  // the stem of "Hanteln" keeps its ending
  const ends = isEnd
    ? [word, ...[...stems, word.replace(/n$/, '')].filter(({ length }) => length >= SHORTEST.compoundEnd)]
    : [];
  return [...new Set(ends.flatMap((end) => ENDINGS.map((ending) => end + ending)))];
};

const MOST_COMPOUNDS = 32;

/** Looks up what the index knows of the words of a search: one statement. */
const learn = async (db: Db, ctx: Pick<AppContext, 'root'>, search: Search, lastWord: LastWord): Promise<Knowledge> => {
  const { stemmer, grammar } = lexiconOf(ctx);
  const meanings = await readMeanings(ctx);
  const words = search.terms.map(({ word }) => word);
  const splits = search.terms.map(({ word }) => listSplits(word));
  const typed = [...search.terms.flatMap((term) => term.typed), ...splits.flat()];
  // all at once: a word without synonyms needs no other stems
  await stemmer.learn(db, [...words, ...typed.flat().flatMap(spellOut)]);
  const related = listSynonyms(search, meanings, grammar);
  const synonyms = related.map(({ close }, i) => [
    ...close,
    ...(grammar.hasCompounds ? listCompoundSynonyms(words[i]!, meanings, grammar) : []),
    ...listRunSynonyms(words[i]!, meanings, grammar),
  ]);
  const loose = related.map((each) => each.loose);
  const ends = words.map((word) => (grammar.hasCompounds ? listEnds(word, stemmer.of(word)) : []));
  const asked = [...typed, ...synonyms.flat(), ...loose.flat()].flat().flatMap(spellOut);
  const found = await lookUpWords(
    db,
    {
      words: [...new Set(asked)],
      ends: [...new Set(ends.flat())],
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
    compounds: new Map(
      words.map((word, i) => {
        const compounds = ends[i]!.flatMap((end) => found.compounds.get(end) ?? []);
        const usual = compounds.filter((compound) => !grammar.notCompounds.has(compound));
        const adsOfCompound = (compound: string) => found.words.get(compound)?.ads ?? 0;
        return [word, usual.toSorted((a, b) => adsOfCompound(b) - adsOfCompound(a)).slice(0, MOST_COMPOUNDS)];
      }),
    ),
    splits: new Map(bestSplits),
    synonyms,
    loose,
    categories: search.terms.map(({ typed }, i) => {
      const names = [...typed, ...synonyms[i]!, ...loose[i]!].flatMap((phrase) =>
        phrase.length === 1 ? [phrase[0]!, ...(found.words.get(phrase[0]!)?.stems ?? [])] : [],
      );
      return meanings.categories
        .filter((category) => names.some((word) => category.words.has(word)))
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
