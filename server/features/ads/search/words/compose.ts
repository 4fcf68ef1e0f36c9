import { listArabicForms } from './arabic.ts';
import { MARK_PURPOSE, MOST_ACCESSORIES, markAccessories, markCategory } from './index-words.ts';
import type { Phrase, Search } from './read-search.ts';
import { spellOut } from './runs.ts';

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
  /** What says it only among other words, or of a narrower kind: "dryer" for the "tumble" of "tumble dryer". */
  loose: readonly (readonly Phrase[])[];
  /** Ids of categories whose names have a term, by its place. */
  categories: readonly (readonly number[])[];
}

/** A search for the database. All texts are of tsqueries. */
export interface TextQuery {
  /** Ads that match. */
  text: string;
  /** How many ads have its rarest term, roughly; or any of its terms, if one suffices. */
  ads: number;
  /** The same of the second rarest term, if ads need both. */
  nextAds?: number;
  /**
   * The same ads, best first: titles with all words as typed, or their singular; as stems or synonyms; with loose synonyms, category, brand
   * and model; descriptions; then also what is only an accessory of it: titles, descriptions. An ad is of the first rank that it matches.
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

/** Those that say something new: of "television" and "television set", the former finds all. */
const dropNarrower = (phrases: readonly Phrase[]): readonly Phrase[] => {
  const words = new Set(phrases.flatMap((phrase) => (phrase.length === 1 ? phrase : [])));
  return phrases.filter((phrase) => phrase.length === 1 || !phrase.some((word) => words.has(word)));
};

/** Requires each word of one of the phrases, or a mark. `toLexemes`: what stands for a word. */
const anyPhrase = (
  phrases: readonly Phrase[],
  toLexemes: (word: string) => readonly string[],
  marks: readonly string[] = [],
): string =>
  or([
    ...dropNarrower(phrases).flatMap((phrase) => {
      const words = phrase.map((word) => toLexemes(word).map(quote));
      return words.length === 1 ? words[0]! : [`( ${and(words.map(or))} )`];
    }),
    ...marks.map(quote),
  ]);

/** All that may stand for a term of the search. */
interface Alternatives {
  typed: readonly Phrase[];
  related: readonly Phrase[];
  loose: readonly Phrase[];
  compounds: readonly Phrase[];
  marks: readonly string[];
}

const LATIN = /^\p{sc=Latn}+$/u;

/** Whether an ad may have a word. The others of many synonyms would only cost time. Of other scripts parts of words count. */
const mayBeThere = (word: string, { words }: Knowledge): boolean => !LATIN.test(word) || words.get(word)?.ads !== 0;

/** The singular of a word that may be a plural: "couch", "couche" of "couches"; an Arabic one also without its article. */
const listSingulars = (word: string): string[] =>
  LATIN.test(word) && word.length > 4 ? [/s$/, /es$/].map((end) => word.replace(end, '')) : listArabicForms(word);

const listAlternatives = (search: Search, known: Knowledge): Alternatives[] =>
  search.terms.map(({ typed, word }, i) => {
    const split = known.splits.get(word);
    const areThere = (phrase: Phrase) => phrase.every((each) => mayBeThere(each, known));
    const isLast = i === search.terms.length - 1;
    return {
      typed: split ? [...typed, split] : typed,
      related: (known.synonyms[i] ?? []).filter(areThere),
      loose: (known.loose[i] ?? []).filter(areThere),
      compounds: [...(known.compounds.get(word) ?? []), ...(isLast ? known.completions : [])].map((longer) => [longer]),
      marks: (known.categories[i] ?? []).map(markCategory),
    };
  });

/** So many ads may be in a category, as far as a search knows. */
const ANY_NUMBER = 1e9;

const countAds = ({ typed, related, loose, compounds, marks }: Alternatives, { words }: Knowledge): number => {
  if (marks.length > 0) return ANY_NUMBER;
  const phrases = [...typed, ...related, ...loose, ...compounds];
  return phrases.reduce(
    (sum, phrase) => sum + Math.min(...phrase.flatMap(spellOut).map((word) => words.get(word)?.ads ?? 0)),
    0,
  );
};

const sum = (...counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** How many of its terms an ad has to have. */
type Needs = 'all' | 'all but one' | 'any';

const require = (terms: readonly string[], needs: Needs): string => {
  if (needs === 'all') return and(terms);
  if (needs === 'any') return or(terms);
  return or(terms.map((_, left) => `( ${and(terms.filter((__, i) => i !== left))} )`));
};

const isFindable = (term: Alternatives, known: Knowledge): boolean => countAds(term, known) > 0;

/** For more terms, "all but one" would repeat each too often. */
const MOST_TO_LEAVE_OUT = 5;

/** The search for the database: ads that have all terms. */
export const composeQuery = (search: Search, known: Knowledge): TextQuery =>
  compose(search, known, listAlternatives(search, known), 'all');

/**
 * Weaker searches for when no ad has all terms, the strictest first: all terms that some ad has, all but one of these, any
 * of these. At most three, whose length grows with that of the search.
 */
export const composeWeaker = (search: Search, known: Knowledge): TextQuery[] => {
  const all = listAlternatives(search, known);
  const found = all.filter((term) => isFindable(term, known));
  const needs: Needs[] = [
    ...(found.length > 0 && found.length < all.length ? (['all'] as const) : []),
    ...(found.length > 2 && found.length <= MOST_TO_LEAVE_OUT ? (['all but one'] as const) : []),
    ...(found.length > 1 ? (['any'] as const) : []),
  ];
  return needs.map((need) => compose(search, known, found, need));
};

const compose = (search: Search, known: Knowledge, terms: readonly Alternatives[], needs: Needs): TextQuery => {
  const stemsOf = (word: string) => known.words.get(word)?.stems ?? [];
  // the word may be the stem of another: "lens" of "lenses"
  const withStems = (word: string) => [word, ...stemsOf(word)];
  const inTitle = (word: string) => [word, ...listSingulars(word)].map((each) => FIELDS.title + each);
  const inTitleByStem = (word: string) => [
    // a title that has a word has its stems, too
    ...(stemsOf(word).length > 0 ? [] : [FIELDS.title + word]),
    ...withStems(word).map((stem) => FIELDS.titleStem + stem),
  ];
  const inLabel = (word: string) => [...inTitleByStem(word), ...withStems(word).map((stem) => FIELDS.label + stem)];
  const inHead = (word: string) => withStems(word).map((stem) => FIELDS.head + stem);

  const each = (toText: (term: Alternatives) => string) => require(terms.map(toText), needs);

  const typed = each((term) => anyPhrase(term.typed, inTitle));
  // "princess" is no plural of "princes", and does not find it
  const hasSingulars = terms.some((term) => term.typed.flat().some((word) => listSingulars(word).length > 0));
  const sameStems = hasSingulars ? `( ${each((term) => anyPhrase(term.typed, inTitleByStem))} ) & ` : '';
  const meant = each(({ typed, related }) => anyPhrase([...typed, ...related], inTitleByStem));
  const anywhere = (toLexemes: (word: string) => readonly string[], spell = (phrase: Phrase) => phrase) =>
    each(({ typed, related, loose, compounds, marks }) =>
      anyPhrase([...typed, ...related, ...loose, ...compounds].map(spell), toLexemes, marks),
    );
  const named = anywhere(inLabel);
  const text = anywhere(withStems, (phrase) => phrase.flatMap(spellOut));

  const heads = terms.flatMap(({ typed, related, loose }) => [...typed, ...related, ...loose].flat()).flatMap(inHead);
  const isThing = `( !${quote(MARK_PURPOSE)} | ${or(heads.map(quote))} )`;
  // who looks for an accessory finds as many in the title, and who does not finds none
  const { accessories } = search;
  const things = [
    isThing,
    ...(accessories > 0 ? [quote(markAccessories(Math.min(accessories, MOST_ACCESSORIES)))] : []),
    ...(accessories < MOST_ACCESSORIES ? [`!${quote(markAccessories(accessories + 1))}`] : []),
  ].join(' & ');
  const [ads = 0, nextAds] = terms.map((term) => countAds(term, known)).toSorted((a, b) => a - b);
  return {
    text,
    ...(needs === 'all' ? { ads, nextAds } : { ads: sum(...terms.map((term) => countAds(term, known))) }),
    ranks: [
      `( ${typed} ) & ${sameStems}${things}`,
      `( ${meant} ) & ${things}`,
      `( ${named} ) & ${things}`,
      `( ${text} ) & ${things}`,
      named,
      text,
    ],
  };
};
