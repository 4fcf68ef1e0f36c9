import type { Corpus, Query } from './corpus.ts';

export const PAGE_SIZE = 24;

/** An ad of a first page. */
export interface Found {
  thing: string;
  title: string;
}

export const FAULTS = ['incomplete', 'no best one in front', 'empty', 'near miss in front'] as const;
export type Fault = (typeof FAULTS)[number];

export interface Verdict {
  query: Query;
  faults: Fault[];
  /** The titles of expected ads that the page lacks. */
  missing: string[];
  page: Found[];
}

/** What is wrong with the first page that a query got. */
export function judge({ ads }: Pick<Corpus, 'ads'>, query: Query, page: Found[]): Verdict {
  const { expected, best, nearMisses } = query;
  const titles = new Set(page.map(({ title }) => title));
  const missing = ads
    .filter(({ thing, input }) => expected.includes(thing) && !titles.has(input.title))
    .map(({ input }) => input.title);
  const findFirst = (things: string[]) => {
    const at = page.findIndex(({ thing }) => things.includes(thing));
    return at === -1 ? page.length : at;
  };
  const isWrong: Record<Fault, boolean> = {
    incomplete: missing.length > 0,
    'no best one in front': findFirst(best) >= Math.min(3, page.length),
    empty: page.length === 0,
    'near miss in front': findFirst(nearMisses) < findFirst(best),
  };
  return { query, faults: FAULTS.filter((fault) => isWrong[fault]), missing, page };
}

export interface Figures {
  ads: number;
  queries: number;
  /** Shares of the queries. */
  complete: number;
  bestInFront: number;
  /** Share of the queries that name near misses. */
  nearMissInFront: number;
  /** A number of queries. */
  empty: number;
}

export function summarize(ads: number, verdicts: Verdict[]): Figures {
  const count = (fault: Fault) => verdicts.filter(({ faults }) => faults.includes(fault)).length;
  const queries = verdicts.length;
  const withNearMisses = verdicts.filter(({ query }) => query.nearMisses.length > 0).length;
  return {
    ads,
    queries,
    complete: 1 - count('incomplete') / queries,
    bestInFront: 1 - count('no best one in front') / queries,
    nearMissInFront: count('near miss in front') / Math.max(withNearMisses, 1),
    empty: count('empty'),
  };
}

export const GOALS = { complete: 0.95, completeInEach: 0.9, bestInFront: 0.95, nearMissInFront: 0.05, empty: 0 };

/** A sentence for each goal that is missed. */
export function listMissed(all: Figures, byLanguage: Record<string, Figures>): string[] {
  const { complete, bestInFront, nearMissInFront, empty } = all;
  const missed: [boolean, string][] = [
    [complete < GOALS.complete, `complete ${complete.toFixed(3)} < ${GOALS.complete}`],
    [bestInFront < GOALS.bestInFront, `best in front ${bestInFront.toFixed(3)} < ${GOALS.bestInFront}`],
    [
      nearMissInFront > GOALS.nearMissInFront,
      `near miss in front ${nearMissInFront.toFixed(3)} > ${GOALS.nearMissInFront}`,
    ],
    [empty > GOALS.empty, `empty ${empty} > ${GOALS.empty}`],
    ...Object.entries(byLanguage).map(([language, figures]): [boolean, string] => [
      figures.complete < GOALS.completeInEach,
      `${language}: complete ${figures.complete.toFixed(3)} < ${GOALS.completeInEach}`,
    ]),
  ];
  return missed.filter(([isMissed]) => isMissed).map(([, sentence]) => sentence);
}
