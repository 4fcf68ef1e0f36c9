import { describe, expect, test } from 'vitest';
import { checkDetails } from '../../contract/attributes.ts';
import categories from '../../seeds/categories.json' with { type: 'json' };
import { type Corpus, readCorpora, shorten } from './corpus.ts';
import { PAGE_SIZE } from './judge.ts';

const LEAST_CATEGORIES = 12;
const SLUGS = categories.map(({ slug }) => slug);
const ADS_OF_A_THING = 12;
const EXPECTED_ADS = 20;

const countBy = (keys: string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

const listRepeated = (keys: string[], allowed = 1): string[] =>
  [...countBy(keys)].filter(([, count]) => count > allowed).map(([key]) => key);

describe.each(readCorpora())('$set/$language', ({ ads, queries, ...corpus }: Corpus) => {
  const adsOf = countBy(ads.map(({ thing }) => thing));

  test('ads are in at least twelve categories that a seeded marketplace has, with details of their category', () => {
    const used = [...new Set(ads.map(({ input }) => input.category))];
    expect(SLUGS).toEqual(expect.arrayContaining(used));
    expect(used.length).toBeGreaterThanOrEqual(LEAST_CATEGORIES);
    for (const { input } of ads)
      expect({ ...checkDetails(input.category, input.details).problems, title: input.title }).toEqual({
        title: input.title,
      });
  });

  test('no two ads or queries are the same, and no thing has too many ads', () => {
    expect(listRepeated(ads.map(({ input }) => input.title))).toEqual([]);
    expect(listRepeated(ads.map(({ input }) => input.description))).toEqual([]);
    expect(listRepeated(queries.map(({ search }) => search))).toEqual([]);
    expect(
      listRepeated(
        ads.map(({ thing }) => thing),
        ADS_OF_A_THING,
      ),
    ).toEqual([]);
  });

  test.each(queries)('"$search" expects things that there are and that fit on a page', (query) => {
    const { expected, best, nearMisses } = query;
    expect([...expected, ...nearMisses].filter((thing) => !adsOf.has(thing))).toEqual([]);
    expect(best).not.toEqual([]);
    expect(expected).toEqual(expect.arrayContaining(best));
    expect(expected.filter((thing) => nearMisses.includes(thing))).toEqual([]);
    const count = expected.reduce((sum, thing) => sum + adsOf.get(thing)!, 0);
    expect(count).toBeLessThanOrEqual(Math.min(EXPECTED_ADS, PAGE_SIZE));
  });

  test('the short form keeps every fifth query and the ads that its queries name', () => {
    const short = shorten({ ...corpus, ads, queries });
    expect(short.queries).toEqual(queries.filter((_query, at) => at % 5 === 0));
    for (const { expected, nearMisses } of short.queries)
      for (const thing of [...expected, ...nearMisses])
        expect(short.ads.filter((ad) => ad.thing === thing)).toHaveLength(adsOf.get(thing)!);
  });
});
