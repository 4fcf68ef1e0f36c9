import type { AdFilter } from '../../contract/filters.ts';
import { createRandom } from '../../seeds/demo/random.ts';
import { JAPANESE_THINGS } from '../../seeds/demo/things.ts';
import type { AppContext } from '../../server/app-context.ts';
import { listAdsByIds } from '../../server/features/ads/repository.ts';
import { findAds } from '../../server/features/ads/search/find-ads.ts';
import { type Timing, timeInTurn } from './timing.ts';

type Given = Partial<AdFilter>;

/** What a database has, to draw filters from. */
interface Material {
  /** Words of random ads: common words come often. */
  weighted: string[];
  /** Every word once: most of them are rare. */
  words: string[];
  places: string[];
  categories: string[];
}

const SAMPLE = 2000;

async function readMaterial({ db }: AppContext, random: () => number): Promise<Material> {
  const ads: string[] = await db('listed_ads').orderBy('id').pluck('id');
  const ids = Array.from({ length: SAMPLE }, () => ads[Math.floor(random() * ads.length)]!);
  const rows: { text: string }[] = await db('ads')
    .whereIn('id', ids)
    .orderBy('id')
    .select(db.raw("title || ' ' || description as text"));
  const draw = (text: string): string => {
    const all = text.split(/[^A-Za-z]+/).filter((word) => word.length > 2);
    return all[Math.floor(random() * all.length)] ?? 'table';
  };
  return {
    weighted: rows.map(({ text }) => draw(text)),
    words: await db('search_words').orderBy('word').pluck('word'),
    places: await db('places').whereIn('country', ['US', 'CA']).orderBy('population', 'desc').limit(3000).pluck('id'),
    categories: await db('categories').where({ is_disabled: false }).orderBy('id').pluck('slug'),
  };
}

interface DrawnCase {
  name: string;
  draw(material: Material, random: () => number): Given;
  limitMs?: number;
  limitP99Ms?: number;
}

const pick = <T>(values: readonly T[], random: () => number): T => values[Math.floor(random() * values.length)]!;

const drawPrice = (random: () => number): number => Math.round(5 * Math.exp(random() * 5));

const drawRange = (random: () => number): Given => {
  const low = drawPrice(random);
  return { minPrice: String(low), maxPrice: String(Math.round(low * (1.1 + 3 * random()))) };
};

const drawCircle = ({ places }: Material, random: () => number): Given => ({
  near: pick(places, random),
  radius: pick([10, 25, 50, 100, 250], random),
});

const WITH_SYNONYMS = ['pram', 'sofa', 'bike', 'phone', 'fridge', 'laptop', 'trainers', 'jumper'];

/** Of each, two characters: that is how words of scripts without spaces are found. */
const PAIRS = JAPANESE_THINGS.flatMap((thing) =>
  Array.from({ length: thing.length - 1 }, (_, i) => thing.slice(i, i + 2)),
).filter((pair) => !pair.endsWith('ー'));

/** With its second and third letter swapped. */
const misspell = (word: string): string => word.replace(/^(.)(.)(.)/, '$1$3$2');

const WORD = { limitMs: 5, limitP99Ms: 25 };

/** Each includes the total of the first page and the ads themselves. */
const CASES: DrawnCase[] = [
  { name: 'a word of a random ad', draw: ({ weighted }, r) => ({ search: pick(weighted, r) }), ...WORD },
  { name: 'any word', draw: ({ words }, r) => ({ search: pick(words, r) }), ...WORD },
  {
    name: 'a word of a random ad, with a least price',
    draw: ({ weighted }, r) => ({ search: pick(weighted, r), minPrice: String(drawPrice(r)) }),
    ...WORD,
  },
  {
    name: 'a word of a random ad, in a price range',
    draw: ({ weighted }, r) => ({ search: pick(weighted, r), ...drawRange(r) }),
    ...WORD,
  },
  {
    name: 'a word of a random ad, newest first',
    draw: ({ weighted }, r) => ({ search: pick(weighted, r), sort: 'newest' }),
    ...WORD,
  },
  {
    name: 'two words of random ads',
    draw: ({ weighted }, r) => ({ search: `${pick(weighted, r)} ${pick(weighted, r)}` }),
    ...WORD,
  },
  {
    name: 'a word in a category',
    draw: ({ weighted, categories }, r) => ({ search: pick(weighted, r), category: pick(categories, r) }),
    ...WORD,
  },
  { name: 'a word with synonyms', draw: (_, r) => ({ search: pick(WITH_SYNONYMS, r) }), ...WORD },
  { name: 'two Japanese characters', draw: (_, r) => ({ search: pick(PAIRS, r) }), ...WORD },
  { name: 'a misspelt word', draw: ({ weighted }, r) => ({ search: misspell(pick(weighted, r)) }), ...WORD },
  { name: 'the lowest prices', draw: () => ({ sort: 'price_asc' }), limitMs: 3, limitP99Ms: 10 },
  {
    name: 'the highest prices of a category',
    draw: ({ categories }, r) => ({ sort: 'price_desc', category: pick(categories, r) }),
    limitMs: 3,
    limitP99Ms: 10,
  },
  {
    name: 'the nearest ads',
    draw: ({ places }, r) => ({ sort: 'nearest', near: pick(places, r) }),
    limitMs: 10,
    limitP99Ms: 40,
  },
  {
    name: 'the nearest ads of a category within a radius',
    draw: (material, r) => ({ ...drawCircle(material, r), sort: 'nearest', category: pick(material.categories, r) }),
    limitMs: 10,
    limitP99Ms: 40,
  },
  { name: 'a radius', draw: drawCircle },
  {
    name: 'a word, a category, a radius and a price range',
    draw: (material, r) => ({
      ...drawCircle(material, r),
      ...drawRange(r),
      search: pick(material.weighted, r),
      category: pick(material.categories, r),
    }),
    limitMs: 15,
    limitP99Ms: 60,
  },
  {
    name: 'a condition in a category',
    draw: ({ categories }, r) => ({
      category: pick(categories, r),
      condition: [pick(['new', 'good', 'for_parts'] as const, r)],
    }),
    limitMs: 10,
    limitP99Ms: 40,
  },
  {
    name: 'years of vehicles',
    draw: (_, r) => {
      const year = 1960 + Math.floor(r() * 65);
      return {
        category: 'vehicles',
        details: { 'year.min': String(year), 'year.max': String(year + Math.floor(r() * 6)) },
      };
    },
    limitMs: 10,
    limitP99Ms: 40,
  },
  {
    name: 'a size of clothing',
    draw: (_, r) => ({ category: 'clothing', details: { size: pick(['S', 'M', 'L', 'XL', '42'], r) } }),
    limitMs: 10,
    limitP99Ms: 40,
  },
];

export interface DrawnResult extends Timing {
  name: string;
  limitMs?: number;
  limitP99Ms?: number;
}

const SEED = 20_261_124;

/** Lists with filters that are drawn again for every run, the same ones for equal seeds. The databases take turns. */
export async function measureDrawn(apps: readonly AppContext[], runs: number): Promise<DrawnResult[][]> {
  const results: DrawnResult[][] = apps.map(() => []);
  const materials = await Promise.all(apps.map((app) => readMaterial(app, createRandom(SEED))));
  for (const { name, draw, ...promise } of CASES) {
    const works = apps.map((app, i) => {
      const random = createRandom(SEED);
      return async () => {
        const given = draw(materials[i]!, random);
        const query = { showSold: false, hideSold: false, exact: false, withPhotos: false, details: {}, ...given };
        await listAdsByIds(app.db, (await findAds(app, query, undefined)).ids);
      };
    });
    const timings = await timeInTurn(runs, works);
    for (const [i, timing] of timings.entries()) results[i]!.push({ name, ...promise, ...timing });
  }
  return results;
}
