import { LIMITS } from '../../contract/limits.ts';
import { DEMO_TRAPS } from '../../seeds/demo/generator.ts';
import { createRandom } from '../../seeds/demo/random.ts';
import type { AppContext } from '../../server/app-context.ts';
import { listAdsByIds } from '../../server/features/ads/repository.ts';
import { parseSearch } from '../../server/features/ads/search/parse-search.ts';
import { findPage, type ListFilter, type PageRequest } from '../../server/features/ads/search/repository.ts';
import { toWordFilter } from '../../server/features/ads/search/resolve-filter.ts';
import { suggestSearches } from '../../server/features/ads/search/suggestions.ts';
import { findNearestPlace, listPlaces } from '../../server/features/places/repository.ts';
import { measureDrawn } from './drawn-queries.ts';
import { type Timing, timeInTurn } from './timing.ts';

export interface QueryResult extends Timing {
  name: string;
  /** Promised milliseconds with a million ads, for the median and the 99th percentile. */
  limitMs?: number;
  limitP99Ms?: number;
  /** Promised ratio to the smallest database. */
  growth?: number;
}

interface QueryCase {
  name: string;
  filter: ListFilter;
  cursor?: string;
  limitMs?: number;
  limitP99Ms?: number;
  growth?: number;
  withTotal?: boolean;
}

async function pickWords({ db }: AppContext): Promise<{ word: string; share: number }[]> {
  const { rows } = await db.raw<{ rows: { word: string; ads: number }[] }>(
    'select word, ads from search_words order by ads desc',
  );
  const most = Math.max(1, rows[0]?.ads ?? 1);
  return [0.5, 0.2, 0.05, 0.01, 0.001, 0.0001].map((share) => {
    const word = rows.find((row) => row.ads <= share * most && row.word.length > 3) ?? rows.at(-1)!;
    return { word: word.word, share: word.ads / most };
  });
}

const SINGLE_WORD = { limitMs: 5, limitP99Ms: 25 };

async function listCases(app: AppContext): Promise<QueryCase[]> {
  const search = async (words: string) => toWordFilter(await parseSearch(app, app.db, words));
  const { rows } = await app.db.raw<{ rows: { middle: string }[] }>(
    'select ((min(id) + max(id)) / 2)::text as middle from ads',
  );
  const { rows: categories } = await app.db.raw<{ rows: { id: number }[] }>(
    'select id from categories order by position',
  );
  const wrong = await app.db('categories').where({ slug: DEMO_TRAPS.wrongCategory.category }).first('id');
  const words = await pickWords(app);
  return [
    { name: 'newest', filter: {}, growth: 1.5 },
    { name: 'newest, in the middle of all pages', filter: {}, cursor: rows[0]!.middle, growth: 1.5 },
    { name: 'a category', filter: { categoryId: categories[3]!.id }, growth: 1.5 },
    { name: 'a wide price range', filter: { minPrice: '20', maxPrice: '60' } },
    { name: 'a narrow price range', filter: { minPrice: '311.10', maxPrice: '311.90' }, growth: 8 },
    ...(await Promise.all(
      words.map(async ({ word, share }) => ({
        name: `a word in ${Number((share * 100).toPrecision(1))} % (“${word}”)`,
        filter: await search(word),
        ...SINGLE_WORD,
      })),
    )),
    { name: 'a word that no ad has', filter: await search('qqzyxwv'), ...SINGLE_WORD },
    { name: 'a word that only old ads have', filter: await search(DEMO_TRAPS.onlyOld), limitMs: 100 },
    {
      name: 'two common words that never meet',
      filter: await search(DEMO_TRAPS.neverTogether.join(' ')),
      limitMs: 100,
    },
    {
      name: 'a thing in the wrong category',
      filter: { ...(await search(DEMO_TRAPS.wrongCategory.word)), categoryId: wrong.id },
      limitMs: 100,
    },
    { name: 'a word, first page with its total', filter: await search(words[2]!.word), withTotal: true },
  ];
}

/** Times of each query with one client. The databases take turns. */
export async function measureQueries(apps: readonly AppContext[], runs: number): Promise<QueryResult[][]> {
  const results: QueryResult[][] = apps.map(() => []);
  const cases = await Promise.all(apps.map(listCases));
  for (const index of cases[0]!.keys()) {
    const same = cases.map((all) => all[index]!);
    const works = same.map((test, i) => () => askCase(apps[i]!, test));
    const timings = await timeInTurn(runs, works);
    for (const [i, { filter, cursor, withTotal, ...promise }] of same.entries())
      results[i]!.push({ ...promise, ...timings[i]! });
  }
  const suggestions = await measureSuggestions(apps, runs);
  const places = await measurePlaces(apps, runs);
  const drawn = await measureDrawn(apps, runs);
  return results.map((queries, i) => [
    ...queries,
    ...[...suggestions, ...places].map((timings) => timings[i]!),
    ...drawn[i]!,
  ]);
}

const listAds = async ({ db }: AppContext, filter: ListFilter, asked: PageRequest = {}): Promise<unknown> =>
  listAdsByIds(db, (await findPage(db, filter, asked)).ids);

/** Without the total, the first page is requested as the page before the highest possible id. */
const askCase = (
  app: AppContext,
  { filter, cursor = '9000000000000000000', withTotal }: QueryCase,
): Promise<unknown> => (withTotal ? findPage(app.db, filter) : listAds(app, filter, { cursor }));

const SUGGESTIONS: { name: string; typed: string; limitMs?: number }[] = [
  ...['b', 'bicyc', 'black b', 'qqzy'].map((typed) => ({ name: `suggestions for “${typed}”`, typed, limitMs: 5 })),
  { name: 'suggestions for “bycicle”, which is put right', typed: 'bycicle' },
];

/** The queries of a user who types each text, for each database. */
async function measureSuggestions(apps: readonly AppContext[], runs: number): Promise<QueryResult[][]> {
  const results: QueryResult[][] = [];
  for (const { typed, ...promise } of SUGGESTIONS) {
    const works = apps.map((app) => () => suggestSearches(app, typed));
    results.push((await timeInTurn(runs, works)).map((timing) => ({ ...promise, ...timing })));
  }
  return results;
}

/** The beginnings of names, drawn at random, and the nearest places to points in and between cities. */
async function measurePlaces(apps: readonly AppContext[], runs: number): Promise<QueryResult[][]> {
  const names: string[] = await apps[0]!.db('places').orderBy('id').pluck('name');
  const typings = apps.map(({ db }) => {
    const random = createRandom(1);
    return () => {
      const name = names[Math.floor(random() * names.length)]!;
      const text = name.slice(0, 1 + Math.floor(random() * 6));
      return listPlaces(db, { text, country: 'US', limit: LIMITS.places });
    };
  });
  const positions = apps.map(({ db }) => {
    const random = createRandom(2);
    return () => findNearestPlace(db, { lat: 180 * random() - 90, lng: 360 * random() - 180 });
  });
  const promise = { limitMs: 5, limitP99Ms: 15 };
  return [
    (await timeInTurn(runs, typings)).map((timing) => ({ name: 'places as typed', ...promise, ...timing })),
    (await timeInTurn(runs, positions)).map((timing) => ({ name: 'the nearest place', ...timing })),
  ];
}

export interface ClientsResult extends Timing {
  perSecond: number;
}

type Ask = (random: () => number) => Promise<unknown>;

/**
 * Sixteen clients for some seconds. A quarter each: newest ads, a category, a search with its total; the rest are price
 * ranges and single ads.
 */
export async function measureClients(app: AppContext, seconds: number, isNaive: boolean): Promise<ClientsResult> {
  const ask = isNaive ? await openNaive(app) : await openProduct(app);
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  const client = async (number: number) => {
    const random = createRandom(number + 1);
    while (performance.now() < until) {
      const started = performance.now();
      await ask(random);
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)));
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: times.length / ((performance.now() - started) / 1000),
    p50: sorted[sorted.length >> 1]!,
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
  };
}

async function openMaterial(app: AppContext) {
  const words = (await pickWords(app)).map(({ word }) => word);
  const { rows } = await app.db.raw<{ rows: { low: string; high: string }[] }>(
    'select min(id) as low, max(id) as high from ads',
  );
  return { words, low: Number(rows[0]!.low), high: Number(rows[0]!.high) };
}

async function openProduct(app: AppContext): Promise<Ask> {
  const { words, low, high } = await openMaterial(app);
  return async (random) => {
    const kind = random();
    const id = String(Math.floor(low + random() * (high - low)));
    if (kind < 0.25) return listAds(app, {}, random() < 0.5 ? { cursor: id } : {});
    if (kind < 0.5) return listAds(app, { categoryId: 1 + Math.floor(random() * 25) });
    if (kind < 0.65) return listAds(app, { minPrice: String(random() * 200), maxPrice: String(200 + random() * 200) });
    if (kind < 0.9)
      return listAds(app, toWordFilter(await parseSearch(app, app.db, words[Math.floor(random() * words.length)]!)));
    return app.db('ads').where({ id }).first('id', 'title', 'description', 'price');
  };
}

async function openNaive(app: AppContext): Promise<Ask> {
  const { words, low, high } = await openMaterial(app);
  const page = 'select a.*, u.username from ads a join users u on u.id = a.user_id where a.listed';
  const end = 'order by a.created_at desc limit 24';
  const like = "(a.title || ' ' || a.description) ilike ?";
  const run = (sql: string, bindings: (string | number)[]) => app.db.raw(sql, bindings);
  return async (random) => {
    const kind = random();
    if (kind < 0.25) return run(`${page} ${end} offset ?`, [Math.floor((random() * (high - low)) / 2)]);
    if (kind < 0.5) return run(`${page} and a.category_id = ? ${end}`, [1 + Math.floor(random() * 25)]);
    if (kind < 0.65) return run(`${page} and a.price between ? and ? ${end}`, [random() * 200, 200 + random() * 200]);
    const word = `%${words[Math.floor(random() * words.length)]}%`;
    if (kind < 0.9) {
      await run(`${page} and ${like} ${end}`, [word]);
      return run(`select count(*) from ads a where a.listed and ${like}`, [word]);
    }
    return app
      .db('ads')
      .where({ id: Math.floor(low + random() * (high - low)) })
      .first();
  };
}
