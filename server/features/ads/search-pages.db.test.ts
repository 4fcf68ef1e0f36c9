import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AdFilter } from '../../../contract/filters.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { createAppContext } from '../../app-context.ts';
import { readConfig } from '../../config/load.ts';
import { createPool } from '../../db/pools.ts';
import { findAds } from './search/find-ads.ts';
import { indexAllAds } from './search/index-ads.ts';
import { lexiconOf } from './search/lexicon.ts';
import { parseSearch } from './search/parse-search.ts';
import { type ListFilter, selectListedIds } from './search/query-builder.ts';
import { findPage, type PageRequest } from './search/repository.ts';
import { toWordFilter } from './search/resolve-filter.ts';
import { countWords } from './search/words-repository.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test', clientTimeout: 0, statementTimeout: 0 });
const app = createAppContext(readConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, LOG_LEVEL: 'silent' }));
afterAll(async () => {
  await app.close();
  await db.destroy();
  await database.drop();
});

const ADS = 2400;
/** One ad in so many ids: ads lie in 48 buckets of 16,384 ids. */
const STEP = 320;

interface Ad {
  id: string;
  words: string[];
  category: number;
  price: number;
  isHidden: boolean;
  /** Its words are not in the title. */
  isDescribed: boolean;
  hasPhotos: boolean;
}

/**
 * From the oldest to the newest; "uncommon" is in 2 pages, "ancient" in the oldest tenth, "even" never beside "odd"; 4
 * are dear.
 */
const ads = Array.from({ length: ADS }, (_, n): Ad => {
  const words = ['everywhere', n % 2 ? 'odd' : 'even'];
  if (n % 60 === 0) words.push('uncommon');
  if (n < ADS / 10) words.push('ancient');
  return {
    id: String(20_000 + n * STEP),
    words,
    category: 1 + (n % 7),
    price: n % 600 === 1 ? 77 : n % 11,
    isHidden: n % 13 === 0,
    isDescribed: n % 5 === 0,
    hasPhotos: n % 4 > 0,
  };
});

beforeAll(async () => {
  await insertCategories({ db });
  const { id: userId } = await insertUser({ db });
  await db.batchInsert(
    'ads',
    ads.map(({ id, words, category, price, isHidden, isDescribed, hasPhotos }) => ({
      id,
      user_id: userId,
      category_id: category,
      title: isDescribed ? 'Thing' : words.join(' '),
      description: isDescribed ? words.join(' ') : '',
      has_photos: hasPhotos,
      price,
      state: isHidden ? 'inactive' : 'active',
    })),
  );
  await db.transaction((trx) => indexAllAds(trx, lexiconOf(app)));
  await db.raw('analyze ads, ad_terms, listed_ads');
});

const listMatches = (search: string, { categoryId, minPrice }: ListFilter): Ad[] =>
  ads
    .filter(({ words, isHidden }) => !isHidden && search.split(' ').every((word) => words.includes(word)))
    .filter(({ category, price }) => category === (categoryId ?? category) && price >= Number(minPrice ?? 0))
    .toReversed();

const matches = (search: string, narrow: ListFilter): string[] => listMatches(search, narrow).map(({ id }) => id);

/** All pages, and the total of the first. */
async function findAll(
  filter: ListFilter,
  asked: Pick<PageRequest, 'sort' | 'limit'> = {},
): Promise<{ ids: string[]; total: number | undefined }> {
  const first = await findPage(db, filter, asked);
  const ids = [...first.ids];
  for (let cursor = first.nextCursor; cursor; ) {
    const page = await findPage(db, filter, { ...asked, cursor });
    ids.push(...page.ids);
    cursor = page.nextCursor;
  }
  return { ids, total: first.total?.count };
}

describe.each<[string, () => Promise<unknown>]>([
  ['knows how many ads have a word', () => countWords(db)],
  ['knows no word, as if all were rare', () => db('search_words').update({ ads: 0 })],
  ['takes all words for common', () => db('search_words').update({ ads: 1_000_000 })],
])('where the list of words %s', (_, prepare) => {
  beforeEach(async () => {
    await countWords(db);
    await prepare();
  });

  test.each([
    'everywhere',
    'even',
    'uncommon',
    'ancient',
    'nowhere',
    'even odd',
    'odd ancient',
    'uncommon ancient',
    'everywhere uncommon',
    'nowhere everywhere',
  ])('a search for %j finds every ad, newest first, and says how many', async (search) => {
    const words = toWordFilter(await parseSearch(app, db, search, 'is-whole'));
    for (const narrow of [
      {},
      { categoryId: 3 },
      { minPrice: '7' },
      { minPrice: '50' },
      { categoryId: 5, minPrice: '3' },
    ]) {
      const ids = matches(search, narrow);
      expect(await findAll({ ...words, ...narrow })).toEqual({ ids, total: Math.min(ids.length, 1000) });
    }
  });
});

test.each(['everywhere', 'uncommon', 'odd ancient', 'everywhere even'])(
  'a search for %j finds every ad, the best first, on pages that end anywhere',
  async (search) => {
    await countWords(db);
    const words = toWordFilter(await parseSearch(app, app.db, search, 'is-whole'));
    for (const narrow of [{}, { categoryId: 3 }]) {
      const group = ({ isDescribed, hasPhotos }: Ad) => 2 * Number(isDescribed) + Number(!hasPhotos);
      const ids = listMatches(search, narrow).toSorted((a, b) => group(a) - group(b));
      const found = await findAll({ ...words, ...narrow }, { sort: 'best', limit: 170 });
      expect(found).toEqual({ ids: ids.map(({ id }) => id), total: Math.min(ids.length, 1000) });
    }
  },
);

interface PlanNode {
  'Index Name'?: string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const countProbes = (node: PlanNode): number =>
  (node['Index Name'] === 'listed_ads_search' ? node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, child) => sum + countProbes(child), 0);

/** How often the index of words is asked for a page. */
async function probesFor(search: string, narrow: ListFilter = {}): Promise<number> {
  const { ctes, sql, bindings } = selectListedIds(
    { ...toWordFilter(await parseSearch(app, db, search, 'is-whole')), ...narrow },
    null,
    25,
  );
  const explained = `explain (analyze, format json) with ${ctes} page as materialized (${sql}) select from page`;
  return db.transaction(async (trx) => {
    // so few ads might as well be read one by one
    await trx.raw('set local enable_seqscan = off');
    const { rows } = await trx.raw<{ rows: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] }>(explained, bindings);
    return countProbes(rows[0]!['QUERY PLAN'][0].Plan);
  });
}

test('a word that few or no ads have is looked up once, not bucket by bucket', async () => {
  await countWords(db);
  expect(await probesFor('uncommon')).toBe(1);
  expect(await probesFor('nowhere')).toBe(1);
  expect(await probesFor('everywhere uncommon')).toBe(1);
});

test('a common word in a price range that few ads are in is not looked for bucket by bucket', async () => {
  expect(await probesFor('everywhere', { minPrice: '50' })).toBeLessThanOrEqual(1);
});

test('what a visitor asks for by price is counted while it is read, with all that lists leave out by themselves', async () => {
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => statements.push(sql);
  app.reads.on('query', note);
  await findAds(app, AdFilter.parse({ minPrice: '10', maxPrice: '900' }), undefined);
  app.reads.removeListener('query', note);
  expect(statements).toContainEqual(expect.stringContaining('(select size from priced_size) end'));
});
