import { beforeAll, expect, test } from 'vitest';
import type { Ad } from '../../../contract/ads.ts';
import * as api from '../../../contract/ads.ts';
import { getCategoryStats } from '../../../contract/stats.ts';
import { openTestApp } from '../../../test/harness/app.ts';
import type { Answer } from '../../../test/harness/client.ts';
import { adBody, insertCategories, insertUser } from '../../../test/harness/factories.ts';

const { app, anonymous, signIn } = await openTestApp();

const ADS = [
  { title: 'Mountain bicycle', description: 'A café racer, hardly used', price: 300, category: 'sports' },
  { title: 'Racing bicycles, two of them', description: 'Fast', price: 900, category: 'sports' },
  { title: 'Bicycle bell', description: 'Rings the bell of the mountain', price: '7.50', category: 'sports' },
  { title: 'Bookshelf', description: 'Holds books. 100% oak_wood', price: 40, category: 'furniture' },
  {
    title: "O'Brien's t-shirt",
    description: 'Wi-Fi logo, \\ backslash',
    price: 0,
    priceType: 'free' as const,
    category: 'clothing',
  },
];

beforeAll(async () => {
  await insertCategories(app);
  const client = await signIn((await insertUser(app)).id);
  for (const ad of ADS) await client.ok(api.createAd, { body: adBody(ad) });
});

const titles = async (query: Record<string, string>): Promise<string[]> =>
  (await anonymous.ok(api.listAds, { query })).map((ad) => ad.title.split(/[ ,]/)[0]!);
const search = (words: string, query = {}) => titles({ search: words, ...query });

test('lists newest first with the total', async () => {
  const { body, headers } = await anonymous.call(api.listAds);
  expect(body.map((ad: { title: string }) => ad.title)).toEqual(ADS.map((ad) => ad.title).toReversed());
  expect(headers.get('x-total-count')).toBe('5');
  expect(headers.get('link')).toBeNull();
});

test('pages by the Link header visit every ad once, also while new ones arrive', async () => {
  const client = await signIn((await insertUser(app)).id);
  const seen: string[] = [];
  let path: string | undefined = '/api/ads?limit=2&category=sports';
  while (path) {
    const { body, headers }: Answer<Ad[]> = await anonymous.send(path);
    seen.push(...body.map((ad) => ad.title));
    path = /<(?:https?:\/\/[^/]+)?([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    const { id } = await client.ok(api.createAd, { body: adBody({ category: 'sports' }) });
    await client.ok(api.deleteAd, { params: { id } });
  }
  expect(seen).toEqual(['Bicycle bell', 'Racing bicycles, two of them', 'Mountain bicycle']);
});

test('filters by category, by slug or name in any case; an unknown one finds nothing', async () => {
  expect(await titles({ category: 'furniture' })).toEqual(['Bookshelf']);
  expect(await titles({ category: 'CLOTHING & fashion' })).toEqual(["O'Brien's"]);
  expect(await titles({ category: 'starships' })).toEqual([]);
});

test('filters by price, bounds included', async () => {
  expect(await titles({ minPrice: '40', maxPrice: '300' })).toEqual(['Bookshelf', 'Mountain']);
  expect(await titles({ maxPrice: '0' })).toEqual(["O'Brien's"]);
  expect(await titles({ minPrice: '', maxPrice: '', category: 'furniture' })).toEqual(['Bookshelf']);
});

test.each([
  { minPrice: '5', maxPrice: '4' },
  { minPrice: 'abc' },
  { minPrice: '-1' },
  { maxPrice: 'NaN' },
  { maxPrice: '1e3' },
  { limit: '0' },
  { limit: '101' },
])('refuses %o', async (query) => {
  expect((await anonymous.call(api.listAds, { query })).status).toBe(400);
});

test('every word must occur, in title or description, whatever its case, accents or ending', async () => {
  expect((await search('BICYCLE')).toSorted()).toEqual(['Bicycle', 'Mountain', 'Racing']);
  expect(await search('cafe racer')).toEqual(['Mountain']);
  expect((await search('mountains bicycle')).toSorted()).toEqual(['Bicycle', 'Mountain']);
  expect(await search('café-racer')).toEqual(['Mountain']);
});

test('the last word is found by its beginning', async () => {
  expect(await search('book')).toEqual(['Bookshelf']);
  expect(await search('booksh')).toEqual(['Bookshelf']);
  expect((await search('mountain bi')).toSorted()).toEqual(['Bicycle', 'Mountain']);
});

test('words that mean nothing do not narrow the list, but are found alone; a text without any finds nothing', async () => {
  expect(await search('the', { exact: 'true' })).toEqual(['Bicycle']);
  expect(await search('the bookshelf')).toEqual(['Bookshelf']);
  expect(await search('!!! … ???')).toEqual([]);
  expect(await search('  ')).toHaveLength(5);
});

test.each([
  '"',
  "'",
  '\\',
  '%',
  '_',
  'a:*',
  '<->',
  '!',
  '&&&&',
  '| (',
  "o'brien's",
  'a & !b',
  '\u202e',
  '💥',
  'ß',
  "';--",
  ':*B',
  'x'.repeat(200),
])('no search is an error: %j', async (words) => {
  expect((await anonymous.call(api.listAds, { query: { search: words } })).status).toBe(200);
});

test('wildcards are plain characters', async () => {
  expect(await search('%oo%')).toEqual([]);
  expect(await search('b_ok')).toEqual([]);
});

test('combines words, category and price, and counts what matches', async () => {
  const query = { search: 'bicycle', category: 'sports', minPrice: '100' };
  const { body, headers } = await anonymous.call(api.listAds, { query });
  expect(body).toHaveLength(2);
  expect(headers.get('x-total-count')).toBe('2');
});

test('counts the listed ads of every category, zeros too', async () => {
  const stats = await anonymous.ok(getCategoryStats);
  expect(Object.keys(stats)).toHaveLength(25);
  expect(stats).toMatchObject({ 'Sports & Recreation': 3, Furniture: 1, Electronics: 0 });
});

test('above 1,000 matches the total is 1000 and says that it is not exact', async () => {
  const { id: userId } = await insertUser(app);
  await app.db.raw(
    `insert into ads (user_id, category_id, title, description, price)
     select ?, 1, 'Marble ' || n, 'round', 1 from generate_series(1, 1005) n`,
    [userId],
  );
  const first = await anonymous.call(api.listAds, { query: { search: 'marble' } });
  expect(first.headers.get('x-total-count')).toBe('1000');
  expect(first.headers.get('x-total-count-exact')).toBe('false');
  const all = await anonymous.call(api.listAds, { query: { category: 'electronics' } });
  expect(all.headers.get('x-total-count')).toBe('1005');
  expect(all.headers.get('x-total-count-exact')).toBeNull();

  await app.db.raw("update ads set state = 'inactive' where title like 'Marble%' and title not like '%7'");
  const visible = await anonymous.call(api.listAds, { query: { search: 'marbles' } });
  expect([visible.body.length, visible.headers.get('x-total-count')]).toEqual([24, '100']);
});

test('hidden ads are found by no word, filter or count', async () => {
  const client = await signIn((await insertUser(app)).id);
  const { id } = await client.ok(api.createAd, {
    body: adBody({ title: 'Periscope', category: 'tools', price: '77.77' }),
  });
  expect(await search('periscope')).toEqual(['Periscope']);
  await app.db('ads').where({ id }).update({ state: 'inactive' });
  for (const query of [{ search: 'periscopes' }, { category: 'tools' }, { minPrice: '77.77', maxPrice: '77.77' }]) {
    const { body, headers } = await anonymous.call(api.listAds, { query });
    expect([body, headers.get('x-total-count')]).toEqual([[], '0']);
  }
});
