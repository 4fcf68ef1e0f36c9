import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { checkDetails } from '../../contract/attributes.ts';
import { createAppContext } from '../../server/app-context.ts';
import { readConfig } from '../../server/config/load.ts';
import { withoutIndexes } from '../../server/db/bulk.ts';
import { createPool } from '../../server/db/pools.ts';
import type { AdRow } from '../../server/db/rows.ts';
import { listAdsByIds } from '../../server/features/ads/repository.ts';
import { parseSearch } from '../../server/features/ads/search/parse-search.ts';
import { findPage } from '../../server/features/ads/search/repository.ts';
import { resolveFilter, toWordFilter } from '../../server/features/ads/search/resolve-filter.ts';
import { createTestDatabase } from '../../test/harness/database.ts';
import { insertCategories } from '../../test/harness/factories.ts';
import { seedDemo } from './demo.ts';
import { DEMO_TRAPS } from './generator.ts';

const database = await createTestDatabase();
const cache = await mkdtemp(join(tmpdir(), 'demo-'));
const app = createAppContext(
  readConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, CACHE_DIR: cache, LOG_LEVEL: 'silent' }),
);
afterAll(async () => {
  await app.close();
  await database.drop();
  await rm(cache, { recursive: true });
});
const PLACES = [
  { id: 1, name: 'New York', region: 'New York', country: 'US', lat: 40.71, lng: -74, population: 8_000_000 },
  { id: 2, name: 'Newark', region: 'New Jersey', country: 'US', lat: 40.74, lng: -74.17, population: 300_000 },
  { id: 3, name: 'Berlin', region: 'Berlin', country: 'DE', lat: 52.52, lng: 13.41, population: 3_500_000 },
  { id: 4, name: 'Nowhere', region: null, country: 'DE', lat: 50, lng: 10, population: 0 },
];
const search = async (words: string) =>
  (await findPage(app.db, toWordFilter(await parseSearch(app, app.db, words)), { limit: 100 })).ids;

test('without categories it says what to do first', async () => {
  await expect(seedDemo(app, { ads: 10 })).rejects.toThrow('marketctl seed categories');
});

test('a demo marketplace is whole: ads with photos, sellers, favorites and conversations', async () => {
  await insertCategories(app);
  const steps: string[] = [];
  const { ads, sellers } = await seedDemo(app, { ads: 1000, onProgress: (step) => steps.push(step) });
  expect([ads, sellers]).toEqual([1000, 50]);
  expect(steps.length).toBeGreaterThan(2);
  const listed = await listAdsByIds(app.db, (await findPage(app.db, {}, { limit: 100 })).ids);
  expect(listed).toHaveLength(100);
  expect(listed.some((row) => row.images.length > 0)).toBe(true);
  const image = listed.find((row) => row.images.length > 0)!.images[0]!;
  expect(await app.imageStore.get({ sha256: image.sha256, variant: 'thumb' })).toBeDefined();
  const { rows } = await app.db.raw(
    `select (select count(*)::int from conversations) as conversations, (select count(*)::int from messages where not is_read) as unread,
       (select count(*)::int from favorites f join ads a on a.id = f.ad_id where a.user_id = f.user_id) as own_favorites`,
  );
  expect(rows[0]).toEqual({ conversations: 20, unread: 20, own_favorites: 0 });
});

test('its totals are those that counting gives, also by category', async () => {
  const counted = await app.db('ads').where({ listed: true }).count();
  expect((await findPage(app.db, {})).total?.count).toBe(Number(counted[0]!.count));
  const categories = await app.db('ads').where({ listed: true }).groupBy('category_id').select('category_id').count();
  expect(categories.length).toBeGreaterThan(1);
  for (const { category_id, count } of categories)
    expect((await findPage(app.db, { categoryId: Number(category_id) })).total?.count).toBe(Number(count));
});

test('its ads are not new: nothing waits to be matched to saved searches', async () => {
  expect(await app.db('ad_publications')).toEqual([]);
});

const expectListedOnce = async () => {
  const { rows } = await app.db.raw(
    `select (select count(*)::int from ads where listed) as listed, (select count(*)::int from listed_ads) as copies,
       (select count(*)::int from (select * from ads_to_list except select * from listed_ads) l) as differing`,
  );
  expect(rows[0]).toEqual({ listed: rows[0].copies, copies: rows[0].listed, differing: 0 });
  expect(rows[0].listed).toBeGreaterThan(500);
};

test('searches read a copy of each listed ad', expectListedOnce);

test('its ads know whether they have photos', async () => {
  const { rows } = await app.db.raw(
    `select has_photos, count(*)::int as ads, count(*) filter (where exists (select from ad_images i where i.ad_id = ads.id))::int as with_photos
     from ads group by has_photos order by has_photos`,
  );
  expect(rows).toEqual([
    { has_photos: false, ads: expect.any(Number), with_photos: 0 },
    { has_photos: true, ads: rows[1].ads, with_photos: rows[1].ads },
  ]);
});

test('its ads have conditions, kinds of price and details that a seller could have given', async () => {
  const ads: AdRow[] = await app.db('ads').join('categories as c', 'c.id', 'category_id').select('ads.*', 'c.slug');
  for (const { slug, details } of ads as (AdRow & { slug: string })[])
    expect(checkDetails(slug, details)).toEqual({ details, problems: {} });
  const share = (matches: (ad: AdRow) => boolean) => ads.filter(matches).length / ads.length;
  expect(new Set(ads.map(({ condition }) => condition)).size).toBe(6);
  expect(share(({ condition }) => condition !== null)).toBeGreaterThan(0.5);
  expect(share(({ details }) => Object.keys(details).length > 0)).toBeGreaterThan(0.5);
  expect(share((ad) => ad.condition === null && Object.keys(ad.details).length === 0)).toBeGreaterThan(0.05);
  for (const priceType of ['negotiable', 'free', 'wanted'])
    expect(share((ad) => ad.price_type === priceType)).toBeGreaterThan(0.01);
  expect(share((ad) => ad.price_type === 'fixed')).toBeGreaterThan(0.5);
  expect(ads.every(({ price, price_type }) => (price_type === 'free') === (Number(price) === 0))).toBe(true);
});

test('without places, its ads name cities only', async () => {
  expect(await app.db('ads').whereNotNull('place_id')).toEqual([]);
  expect(await app.db('ads').whereNull('location')).toEqual([]);
});

test('its traps are laid: a word only old ads have, words that never meet', async () => {
  const old = await search(DEMO_TRAPS.onlyOld);
  const oldest = await app.db('ads').min('id').max('id').first();
  const tenth = Number(oldest!.min) + (Number(oldest!.max) - Number(oldest!.min)) / 10;
  expect(old.length).toBeGreaterThan(10);
  expect(Math.max(...old.map(Number))).toBeLessThan(tenth + 1);
  const [one, two] = DEMO_TRAPS.neverTogether;
  expect((await search(one)).length).toBe(100);
  expect((await search(two)).length).toBe(100);
  expect(await search(`${one} ${two}`)).toEqual([]);
});

test('the same seed gives the same marketplace, added to what is there, with places once they are loaded', async () => {
  await app.db('places').insert(PLACES);
  await seedDemo(app, { ads: 1000 });
  const titles = await app.db('ads').orderBy('id').pluck('title');
  expect(titles).toHaveLength(2000);
  expect(titles.slice(1000)).toEqual(titles.slice(0, 1000));
});

test('most ads are near the big cities, some anywhere, a few nowhere', async () => {
  const added = await app.db('ads').orderBy('id').offset(1000).select('place_id', 'location');
  const count = (id: string | null) => added.filter(({ place_id }) => place_id === id).length;
  expect(count('1')).toBeGreaterThan(500);
  expect(count('2')).toBeGreaterThan(10);
  expect(count('1')).toBeGreaterThan(count('2'));
  expect(count('3')).toBeGreaterThan(10);
  expect(count('4')).toBe(0);
  expect(count(null)).toBeGreaterThan(50);
  expect(added.find(({ place_id }) => place_id === '2').location).toBe('Newark, New Jersey, US');
  const filter = await resolveFilter(app.db, { near: '1', radius: 50 });
  const [inReach] = await app.db('ads').where({ listed: true }).whereIn('place_id', ['1', '2']).count();
  expect((await findPage(app.db, filter!)).total?.count).toBe(Number(inReach!.count));
  await expectListedOnce();
});

test('indexes that were put aside for loading are there again afterwards, and also when loading fails', async () => {
  const db = createPool({ url: database.url, name: 'test' });
  const names = () => db('pg_indexes').where({ tablename: 'ads' }).orderBy('indexdef').pluck('indexdef');
  const before = await names();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await withoutIndexes(client, 'ads', async () => {
    const { rows } = await client.query("select indexname from pg_indexes where tablename = 'ads' order by 1");
    expect(rows.map(({ indexname }) => indexname)).toEqual(['ads_pkey', 'ads_seller_key']);
  });
  await client.query('commit');
  expect(await names()).toEqual(before);
  await client.query('begin');
  await expect(withoutIndexes(client, 'ads', () => Promise.reject(new Error('disk full')))).rejects.toThrow(
    'disk full',
  );
  await client.query('rollback');
  expect(await names()).toEqual(before);
  await Promise.all([client.end(), db.destroy()]);
});
