import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONDITIONS } from '../../../contract/conditions.ts';
import type { AdFilter, Sort } from '../../../contract/filters.ts';
import { PRICE_TYPES } from '../../../contract/prices.ts';
import { createRandom } from '../../../seeds/demo/random.ts';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { insertCategories, insertUser } from '../../../test/harness/factories.ts';
import { createAppContext } from '../../app-context.ts';
import { readConfig } from '../../config/load.ts';
import { createPool } from '../../db/pools.ts';
import { toDistance } from '../places/distance.ts';
import { matchStored } from './search/filters.ts';
import { indexAllAds } from './search/index-ads.ts';
import { lexiconOf } from './search/lexicon.ts';
import { parseSearch } from './search/parse-search.ts';
import { findPage } from './search/repository.ts';
import { resolveFilter, toWordFilter } from './search/resolve-filter.ts';
import { countWords } from './search/words-repository.ts';

const database = await createTestDatabase();
const db = createPool({ url: database.url, name: 'test', clientTimeout: 0 });
const app = createAppContext(readConfig({ NODE_ENV: 'test', DATABASE_URL: database.url, LOG_LEVEL: 'silent' }));
afterAll(async () => {
  await app.close();
  await db.destroy();
  await database.drop();
});

const random = createRandom(21);
const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
const maybe = <T>(share: number, value: T): T | undefined => (random() < share ? value : undefined);

const ADS = 6000;
/** One ad in so many ids, so that they lie in many buckets of the index. */
const STEP = 90;
/** "hibiscu" is no singular of "hibiscus": their stems differ. */
const WORDS = ['bicycle', 'helmet', 'frame', 'hibiscus', 'hibiscu', 'saddle', 'basket', 'pump', 'bell', 'lock'];
const BRANDS = ['Peugeot', 'Citroën', 'Škoda', 'Fiat'];
const FUELS = ['petrol', 'diesel', 'electric'];
const SLUGS = ['vehicles', 'sports', 'furniture'];
const KM: Record<string, number> = { km: 1, miles: 1.609344 };

/** Two places have the same coordinates, some lie across the 180th meridian, and one is near the pole. */
const PLACES = Array.from({ length: 60 }, (_, i) => ({
  id: String(100 + i),
  name: `Place ${i}`,
  region: null,
  country: 'FR',
  lat: i < 2 ? 48.5 : i === 2 ? 89.5 : i < 10 ? -17 + random() : 45 + random() * 6,
  lng: i < 2 ? 2.5 : i < 10 ? ((179.5 + random() + 180) % 360) - 180 : random() * 8,
  population: 1000,
}));

interface Ad {
  id: string;
  words: string[];
  category: string;
  price: number;
  priceType: string;
  condition: string | null;
  details: Record<string, string | number>;
  place: (typeof PLACES)[number] | undefined;
  isSold: boolean;
  hasPhotos: boolean;
}

const ads = Array.from({ length: ADS }, (_, n): Ad => {
  const category = pick(SLUGS);
  const priceType = pick(['fixed', 'fixed', 'negotiable', 'free', 'wanted']);
  const details = {
    ...(random() < 0.8 && { make: pick(BRANDS) }),
    ...(random() < 0.8 && { fuel: pick(FUELS) }),
    ...(random() < 0.8 && { year: 1960 + Math.floor(random() * 65) }),
    ...(random() < 0.8 && { mileage: Math.floor(Math.exp(random() * 13)) }),
  };
  return {
    id: String(20_000 + n * STEP),
    words: WORDS.filter((_, i) => random() < 0.9 ** (i * 4)),
    category,
    price: priceType === 'free' ? 0 : pick([5, 10, 20, Math.round(random() * 50_000) / 100]),
    priceType,
    condition: maybe(0.8, pick(Object.keys(CONDITIONS))) ?? null,
    details: category === 'vehicles' ? details : {},
    place: maybe(0.85, pick(PLACES)),
    isSold: random() < 0.05,
    hasPhotos: random() < 0.7,
  };
});

beforeAll(async () => {
  await insertCategories({ db });
  await db('places').insert(PLACES);
  const { id: userId } = await insertUser({ db });
  const categories: { id: number; slug: string }[] = await db('categories').select('id', 'slug');
  await db.batchInsert(
    'ads',
    ads.map((ad) => ({
      id: ad.id,
      user_id: userId,
      category_id: categories.find(({ slug }) => slug === ad.category)!.id,
      title: `Ad ${ad.words.join(' ')}`,
      description: '',
      price: ad.price,
      price_type: ad.priceType,
      condition: ad.condition,
      details: JSON.stringify(ad.details),
      place_id: ad.place?.id ?? null,
      has_photos: ad.hasPhotos,
      is_sold: ad.isSold,
      ...(ad.isSold && { sold_at: '2026-01-01', sold_listed_until: '2999-01-01' }),
    })),
  );
  await db.transaction((trx) => indexAllAds(trx, lexiconOf(app)));
  await db.raw('analyze ads, ad_terms, listed_ads, ad_places');
  await countWords(db);
}, 120_000);

const measure = (from: { lat: number; lng: number }, to: { lat: number; lng: number }): number => {
  const [lat1, lng1, lat2, lng2] = [from.lat, from.lng, to.lat, to.lng].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
    number,
  ];
  const half = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin((lng2 - lng1) / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(half)));
};

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const meetsDetails = (ad: Ad, details: Record<string, string>): boolean =>
  Object.entries(details).every(([name, wanted]) => {
    const [key = '', bound] = name.split('.');
    const value = ad.details[key];
    if (value === undefined) return false;
    if (bound === 'min') return Number(value) >= Number(wanted);
    if (bound === 'max') return Number(value) <= Number(wanted);
    return fold(String(value)) === fold(wanted);
  });

type Given = Partial<AdFilter>;

type Parameter = Exclude<keyof AdFilter, 'cursor' | 'limit' | 'exact' | 'showSold'>;
type Order = Exclude<Sort, 'best'>;

const findDistance = (ad: Ad, near: string | undefined): number => {
  const start = PLACES.find(({ id }) => id === near);
  return start && ad.place ? measure(start, ad.place) : Number.POSITIVE_INFINITY;
};

/** What a reader of the contract would expect of an ad, by parameter. */
const MEETS: { [Name in Parameter]: (ad: Ad, wanted: NonNullable<AdFilter[Name]>, given: Given) => boolean } = {
  category: (ad, category) => ad.category === category,
  minPrice: (ad, price) => ad.price >= Number(price),
  maxPrice: (ad, price) => ad.price <= Number(price),
  search: (ad, search) => search.split(' ').every((word) => ad.words.includes(word) || ad.category === word),
  condition: (ad, conditions) => conditions.some((condition) => condition === ad.condition),
  priceType: (ad, types) => types.some((type) => type === ad.priceType),
  hideSold: (ad) => !ad.isSold,
  withPhotos: (ad) => ad.hasPhotos,
  near: () => true,
  radius: (ad, radius, { near }) => findDistance(ad, near) <= radius,
  details: meetsDetails,
  sort: (ad, sort) => sort !== 'nearest' || ad.place !== undefined,
};

/** Reads one ad after another. */
const findNaively = (given: Given): Ad[] => {
  const wanted = Object.entries(given) as [Parameter, never][];
  const found = ads.filter((ad) => wanted.every(([name, value]) => MEETS[name](ad, value, given)));
  const keys: Record<Order, (ad: Ad) => number> = {
    newest: () => 0,
    price_asc: ({ price }) => price,
    price_desc: ({ price }) => -price,
    // to a millimetre: two ways to compute a distance differ in the last digits
    nearest: (ad) => Math.round(findDistance(ad, given.near) * 1e6),
  };
  const key = keys[(given.sort as Order) ?? 'newest'];
  return found.toSorted((a, b) => key(a) - key(b) || Number(b.id) - Number(a.id));
};

const resolve = async (given: Given) => ({
  ...(await resolveFilter(db, given))!,
  ...toWordFilter(await parseSearch(app, db, given.search ?? '', 'is-whole')),
});

/** All pages, with the total of the first, the distances of all and the statement's idea of a stored search. */
const findAll = async (given: Given, limit = 24) => {
  const filter = await resolve(given);
  const ids: string[] = [];
  const distances: (number | null)[] = [];
  let total: number | undefined;
  let cursor: string | undefined;
  do {
    const page = await findPage(db, filter, { sort: given.sort, cursor, limit });
    total ??= page.total?.count;
    ids.push(...page.ids);
    distances.push(
      ...(page.chords ?? []).map((chord) => (chord === null ? null : toDistance(chord, filter.near!.unit))),
    );
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return { filter, ids, distances, total };
};

const expectSame = async (given: Given): Promise<void> => {
  const naive = findNaively(given);
  const { ids, distances, total, filter } = await findAll(given, naive.length > 300 ? 100 : 24);
  expect({ given, ids }).toEqual({ given, ids: naive.map(({ id }) => id) });
  const isByCategory =
    !given.radius && Object.keys(given).every((name) => ['category', 'near', 'sort', 'hideSold'].includes(name));
  expect(total).toBe(isByCategory && given.sort !== 'nearest' ? naive.length : Math.min(1000, naive.length));
  const start = PLACES.find(({ id }) => id === given.near);
  if (start)
    expect(distances).toEqual(
      naive.map(({ place }) => (place ? expect.closeTo(measure(start, place) / KM[filter.near!.unit]!, 0) : null)),
    );
};

/** Combinations of filters, usually few at once. */
const drawFilter = (): Given => {
  const share = 0.1 + random() * 0.5;
  const near = maybe(share, pick(PLACES).id);
  const category = maybe(share, pick(SLUGS));
  const year = 1960 + Math.floor(random() * 65);
  const lowest = Math.round(random() * 100);
  const details: Record<string, string> = {
    ...(random() < share && { make: pick(['peugeot', 'CITROEN', 'Škoda', 'Tesla']) }),
    ...(random() < share && { fuel: pick(FUELS) }),
    ...(random() < share && { 'year.min': String(year) }),
    ...(random() < share && { 'year.max': String(year + Math.floor(random() * 20)) }),
    ...(random() < share && { 'mileage.max': String(Math.floor(Math.exp(random() * 13))) }),
  };
  const drawn: { [Name in Parameter]: AdFilter[Name] | undefined } = {
    category,
    search: maybe(
      share,
      pick([pick(WORDS), `${pick(WORDS)} ${pick(WORDS)}`, pick(SLUGS), `${pick(WORDS)} ${pick(SLUGS)}`]),
    ),
    minPrice: maybe(share, String(lowest)),
    maxPrice: maybe(share, String(pick([lowest + 5, 100 + Math.round(random() * 400)]))),
    condition: maybe(share, [...new Set([pick(Object.keys(CONDITIONS)), pick(Object.keys(CONDITIONS))])] as never),
    priceType: maybe(share, [pick(Object.keys(PRICE_TYPES))] as never),
    hideSold: maybe(share, true),
    withPhotos: maybe(share, true),
    near,
    radius: near === undefined ? undefined : maybe(0.7, pick([10, 25, 50, 100, 250])),
    details: category === 'vehicles' && Object.keys(details).length > 0 ? details : undefined,
    sort: maybe(
      0.7,
      pick<Order>(['newest', 'price_asc', 'price_desc', ...(near ? (['nearest', 'nearest'] as const) : [])]),
    ),
  };
  return Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined));
};

describe.each<[string, () => Promise<unknown>]>([
  ['knows how many ads have a word', () => countWords(db)],
  ['takes all words for common', () => db('search_words').update({ ads: 1_000_000 })],
])('where the list of words %s', (_, prepare) => {
  beforeAll(async () => void (await prepare()));

  test('every combination of filters and order finds what reading all ads finds, page by page', async () => {
    for (let i = 0; i < 150; i++) await expectSame(drawFilter());
  }, 240_000);

  test('best match finds the same ads in its own order', async () => {
    for (let i = 0; i < 60; i++) {
      const given: Given = { search: pick(WORDS), ...drawFilter(), sort: 'best' };
      const naive = findNaively({ ...given, sort: 'newest' }).map(({ id }) => id);
      const { ids, total } = await findAll(given, naive.length > 300 ? 100 : 24);
      expect({ given, ids: ids.toSorted(), total }).toEqual({
        given,
        ids: naive.toSorted(),
        total: Math.min(1000, naive.length),
      });
    }
  }, 120_000);
});

const ALONE: Given[] = [
  { category: 'furniture' },
  { search: 'bell' },
  { search: 'furniture' },
  { minPrice: '20', maxPrice: '25' },
  { condition: ['new'] },
  { hideSold: true },
  { withPhotos: true },
  { near: '102', radius: 250 },
  { category: 'vehicles', near: '102', radius: 250 },
  { category: 'vehicles', details: { make: 'skoda' } },
];

test.each<Order>(['newest', 'price_asc', 'price_desc', 'nearest'])(
  'each filter alone finds all ads, %s first',
  async (sort) => {
    for (const given of ALONE) await expectSame({ near: '120', ...given, sort });
  },
  120_000,
);

test.each<Given>([
  { sort: 'newest' },
  { sort: 'price_asc' },
  { sort: 'price_desc' },
  { sort: 'nearest', near: '100' },
  { sort: 'nearest', near: '103', radius: 250 },
  { sort: 'price_asc', category: 'vehicles', minPrice: '0', maxPrice: '20' },
  { near: '102', radius: 250 },
  { search: 'lock', sort: 'nearest', near: '120' },
  { search: 'bicycle', sort: 'price_desc', priceType: ['free'] },
  { search: 'furniture', minPrice: '20', maxPrice: '25' },
  { search: 'lock furniture', sort: 'price_asc', minPrice: '20', maxPrice: '40' },
  { category: 'vehicles', details: { make: 'skoda', 'year.min': '2020' }, sort: 'price_asc' },
])('%j finds all ads in order', (given) => expectSame(given), 60_000);

test('a distance in miles is longer than one in kilometers', async () => {
  await db('settings').insert({ key: 'platform', value: JSON.stringify({ distanceUnit: 'miles' }) });
  const [inMiles] = [await findAll({ near: '100', radius: 100, sort: 'nearest' }, 100)];
  const expected = ads.filter(({ place }) => place && measure(PLACES[0]!, place) <= 160.9344);
  expect(inMiles.ids).toHaveLength(expected.length);
  expect(Math.max(...(inMiles.distances as number[]))).toBeLessThanOrEqual(100);
  await db('settings').where({ key: 'platform' }).delete();
});

test('a stored filter matches the same ads', async () => {
  for (let i = 0; i < 60; i++) {
    const given = drawFilter();
    const filter = await resolve({ ...given, sort: undefined });
    const rows: { id: string }[] = (
      await db.raw(
        `with stored as (select ?::jsonb as resolved)
         select l.id from stored s, listed_ads l where ${matchStored('s.resolved')} order by l.id desc`,
        [JSON.stringify(filter)],
      )
    ).rows;
    const naive = findNaively({ ...given, sort: 'newest' }).map(({ id }) => id);
    expect({ given, ids: rows.map(({ id }) => id) }).toEqual({ given, ids: naive });
  }
}, 60_000);
