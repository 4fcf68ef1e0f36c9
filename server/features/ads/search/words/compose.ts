import { MARK_PURPOSE, MOST_ACCESSORIES, markAccessories, markCategory } from './index-words.ts';
import type { Phrase, Search } from './read-search.ts';

/** What the index knows of a word. */
export interface KnownWord {
  stems: readonly string[];
  /** Listed ads with it, or with its stem; may be a day old. */
  ads: number;
}

/** What is known of the words of a search. */
export interface Knowledge {
  words: ReadonlyMap<string, KnownWord>;
  /** Longer words that begin with the last one. */
  completions: readonly string[];
  /** Compounds that end with a word. */
  compounds: ReadonlyMap<string, readonly string[]>;
  /** Two words of the index that make up a word. */
  splits: ReadonlyMap<string, Phrase>;
  /** What also says a term, by its place. */
  synonyms: readonly (readonly Phrase[])[];
  /** Ids of categories whose names have a term, by its place. */
  categories: readonly (readonly number[])[];
}

/** A search for the database. All texts are of tsqueries. */
export interface TextQuery {
  /** Ads that match. */
  text: string;
  /** How many ads have its rarest term, roughly. */
  ads: number;
  /**
   * The same ads, best first, each without what the one before finds: titles with all words as typed; as stems or
   * synonyms; with category, brand and model; accessories of it; all others.
   */
  ranks: string[];
}

/** Before a lexeme: of the title; its stems; of a title's head; of brand or model. */
export const FIELDS = { title: '=', titleStem: '~', head: '^', label: '@' } as const;

const quote = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

const or = (texts: readonly string[]): string => {
  const unique = [...new Set(texts)];
  return unique.length === 1 ? unique[0]! : `( ${unique.join(' | ')} )`;
};

const and = (texts: readonly string[]): string => [...new Set(texts)].join(' & ');

/** Requires each word of one of the phrases, or a mark. `toLexemes`: what stands for a word. */
const anyPhrase = (
  phrases: readonly Phrase[],
  toLexemes: (word: string) => readonly string[],
  marks: readonly string[] = [],
): string =>
  or([
    ...phrases.flatMap((phrase) => {
      const words = phrase.map((word) => toLexemes(word).map(quote));
      return words.length === 1 ? words[0]! : [`( ${and(words.map(or))} )`];
    }),
    ...marks.map(quote),
  ]);

/** All that may stand for a term of the search. */
interface Alternatives {
  typed: readonly Phrase[];
  related: readonly Phrase[];
  compounds: readonly Phrase[];
  marks: readonly string[];
}

const listAlternatives = (search: Search, known: Knowledge): Alternatives[] =>
  search.terms.map(({ typed, word }, i) => {
    const split = known.splits.get(word);
    const isLast = i === search.terms.length - 1;
    return {
      typed: split ? [...typed, split] : typed,
      related: known.synonyms[i] ?? [],
      compounds: [...(known.compounds.get(word) ?? []), ...(isLast ? known.completions : [])].map((longer) => [longer]),
      marks: (known.categories[i] ?? []).map(markCategory),
    };
  });

const countAds = ({ typed, related, compounds }: Alternatives, { words }: Knowledge): number => {
  const phrases = [...typed, ...related, ...compounds];
  return phrases.reduce((sum, phrase) => sum + Math.min(...phrase.map((word) => words.get(word)?.ads ?? 0)), 0);
};

/** The conditions of terms, of which `missing` may be missing. */
const allBut = (terms: readonly string[], missing: number): string => {
  if (missing === 0) return and(terms);
  const without = terms.map(
    (_, i) =>
      `( ${allBut(
        terms.filter((__, other) => other !== i),
        missing - 1,
      )} )`,
  );
  return or(without);
};

/** Of longer searches each term counts, so that few combinations remain. */
export const MOST_TERMS_TO_DROP = 8;

/**
 * The search for the database, with `missing` of its terms optional. Needs at least one term that is not optional.
 */
export const composeQuery = (search: Search, known: Knowledge, missing = 0): TextQuery => {
  const stemsOf = (word: string) => known.words.get(word)?.stems ?? [];
  const withStems = (word: string) => [word, ...stemsOf(word)];
  const inTitle = (word: string) => [FIELDS.title + word];
  const inTitleByStem = (word: string) => [
    FIELDS.title + word,
    ...stemsOf(word).map((stem) => FIELDS.titleStem + stem),
  ];
  const inLabel = (word: string) => [...inTitleByStem(word), ...withStems(word).map((lexeme) => FIELDS.label + lexeme)];
  const inHead = (word: string) => withStems(word).map((lexeme) => FIELDS.head + lexeme);

  const terms = listAlternatives(search, known);
  const require = (toText: (term: Alternatives) => string) => allBut(terms.map(toText), missing);

  const typed = require((term) => anyPhrase(term.typed, inTitle));
  const meant = require(({ typed, related }) => anyPhrase([...typed, ...related], inTitleByStem));
  const anywhere = (toLexemes: (word: string) => readonly string[]) =>
    require(({ typed, related, compounds, marks }) =>
      anyPhrase([...typed, ...related, ...compounds], toLexemes, marks),
    );
  const named = anywhere(inLabel);
  const text = anywhere(withStems);

  const heads = terms.flatMap(({ typed, related }) => [...typed, ...related].flat()).flatMap(inHead);
  const isThing = `( !${quote(MARK_PURPOSE)} | ${or(heads.map(quote))} )`;
  // who looks for an accessory finds as many in the title, and who does not finds none
  const { accessories } = search;
  const things = [
    isThing,
    ...(accessories > 0 ? [quote(markAccessories(Math.min(accessories, MOST_ACCESSORIES)))] : []),
    ...(accessories < MOST_ACCESSORIES ? [`!${quote(markAccessories(accessories + 1))}`] : []),
  ].join(' & ');
  const ranks = [...[typed, meant, named].map((words) => `( ${words} ) & ${things}`), `( ${named} )`, `( ${text} )`];
  return {
    text,
    ads: Math.min(...terms.map((term) => countAds(term, known))),
    ranks: ranks.map((rank, i) => (i === 0 ? rank : `${rank} & !( ${ranks[i - 1]} )`)),
  };
};
