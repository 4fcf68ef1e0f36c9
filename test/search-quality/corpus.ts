/** Ads and queries of one language, from `ads/<language>.tsv` and `queries/<language>.tsv` of a set (README.md has the columns). */
import { readdirSync, readFileSync } from 'node:fs';
import { type AdInput, UpdateAdBody } from '../../contract/ads.ts';

export interface CorpusAd {
  /** What the ad really offers: `bicycle`, `bike-rack`. */
  thing: string;
  input: AdInput;
}

/** What a person types and what this person expects, in things. */
export interface Query {
  search: string;
  /** All ads of these stand on the first page. */
  expected: string[];
  /** Among the expected: an ad of these is one of the first three. */
  best: string[];
  /** The case, cover, rack or charger of the thing: none stands above every best one. */
  nearMisses: string[];
}

/** The words of `languages/` were chosen with the ads of `.` at hand; those of `held-out` were written without a look at them. */
export const SETS = ['.', 'held-out'] as const;
export type CorpusSet = (typeof SETS)[number];

export interface Corpus {
  set: CorpusSet;
  language: string;
  ads: CorpusAd[];
  queries: Query[];
}

const toPath = (path: string): URL => new URL(path, import.meta.url);

const readRows = (path: string, columns: number): string[][] =>
  readFileSync(toPath(path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line, at) => {
      const row = line.split('\t');
      if (row.length !== columns) throw new Error(`${path}:${at + 1}: ${row.length} columns instead of ${columns}`);
      return row;
    });

const splitList = (list: string, separator: string): string[] => list.split(separator).filter(Boolean);

const readAd = ([thing, category, title, description, price, details]: string[]): CorpusAd => ({
  thing: thing!,
  input: UpdateAdBody.parse({
    category,
    title,
    description,
    price,
    details: Object.fromEntries(splitList(details!, ';').map((detail) => detail.split('='))),
  }),
});

const readQuery = ([search, expected, best, nearMisses]: string[]): Query => ({
  search: search!,
  expected: splitList(expected!, ','),
  best: splitList(best!, ','),
  nearMisses: splitList(nearMisses!, ','),
});

/** Languages are added by adding their two files. */
const listLanguages = (set: CorpusSet): string[] =>
  readdirSync(toPath(`${set}/queries`)).map((file) => file.replace('.tsv', ''));

const readCorpus = (set: CorpusSet, language: string): Corpus => ({
  set,
  language,
  ads: readRows(`${set}/ads/${language}.tsv`, 6).map(readAd),
  queries: readRows(`${set}/queries/${language}.tsv`, 4).map(readQuery),
});

export const readCorpora = (sets: readonly CorpusSet[] = SETS): Corpus[] =>
  sets.flatMap((set) => listLanguages(set).map((language) => readCorpus(set, language)));

/** Every fifth query, and all ads of the things that these name. */
export function shorten({ ads, queries, ...corpus }: Corpus): Corpus {
  const kept = queries.filter((_query, at) => at % 5 === 0);
  const things = new Set(kept.flatMap(({ expected, nearMisses }) => [...expected, ...nearMisses]));
  return { ...corpus, ads: ads.filter(({ thing }) => things.has(thing)), queries: kept };
}
