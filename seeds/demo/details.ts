import type { Details } from '../../contract/ads.ts';
import { type Attribute, getAttributes } from '../../contract/attributes.ts';
import type { Condition } from '../../contract/conditions.ts';
import type { PriceType } from '../../contract/prices.ts';
import { drawByWeight, drawByZipf, drawLogNormal } from './random.ts';

export interface DemoDetails {
  condition: Condition | null;
  priceType: PriceType;
  details: Details;
}

const CONDITION_WEIGHTS: [Condition, number][] = [
  ['new', 15],
  ['like_new', 25],
  ['good', 35],
  ['fair', 18],
  ['for_parts', 7],
];
const PRICE_TYPE_WEIGHTS: [PriceType, number][] = [
  ['fixed', 72],
  ['negotiable', 20],
  ['free', 4],
  ['wanted', 4],
];

/** Ads that say nothing but what every ad must, and how many of the others leave out a certain detail. */
const BARE = 0.1;
const WITHOUT_CONDITION = 0.1;
const WITHOUT_DETAIL = 0.25;
/** What usually costs more is never free. */
const MOST_GIVEN_AWAY = 500;

/** Categories whose ads are in no condition. */
const TIMELESS = new Set(['real-estate', 'pets', 'services', 'tickets']);

const LAST_YEAR = 2026;

/** Values of texts and choices, most frequent first, by `category.key` or by key. */
const TEXTS: Record<string, string> = {
  brand: 'Norda, Velling, Kestrel, Brightwater, Osmo, Tamsin, Halberg, Quill & Co, Lumera, Arden, Pike, Solano',
  'clothing.brand': 'Fenwick, Northlane, Marlow, Alder, Sunde, Coastline, Ravel, Juniper',
  model: 'One, Classic, S2, Pro, 300, Mini, X5, Plus, Sport, 40, Compact, Studio, T100, Max',
  make: 'Toyota, Ford, Honda, Chevrolet, Nissan, Volkswagen, Subaru, BMW, Kia, Volvo, Mazda, Hyundai',
  'vehicles.model': 'Standard, Touring, Sport, LX, GT, Limited, XL, Base, Hybrid, SE',
  color: 'Black, White, Gray, Blue, Red, Brown, Green, Silver, Beige, Yellow, Orange, Purple',
  material: 'Wood, Metal, Cotton, Leather, Plastic, Glass, Wool, Oak, Steel, Ceramic, Bamboo',
  'clothing.material': 'Cotton, Wool, Denim, Leather, Polyester, Linen, Silk',
  'jewelry.material': 'Silver, Gold, Stainless steel, Rose gold, Pearl, Platinum',
  'art.material': 'Canvas, Paper, Oil on canvas, Wood, Bronze',
  size: 'M, L, S, XL, 42, XS, 40, XXL, 38, 44',
  'jewelry.size': '7, 6, 8, 5, 9, 10',
  'baby-kids.size': '2T, 3T, 4T, 12 months, 6 months, 5',
  'pets.size': 'Medium, Small, Large, Extra large',
  author: 'Ada Abbott, Hugo Hansen, Iris Ito, Maya Mendez, Olga Novak, Paul Price, Rosa Rossi, Zoe Ziegler',
  artist: 'Unknown, Carla Castro, Felix Fischer, Kira Khan, Sam Silva, Tara Tanaka',
  language: 'English, Spanish, French, German, Chinese, Japanese',
  mount: 'EF, E, F, RF, Z, Micro Four Thirds, X, K',
};

/** Numbers by `category.key` or by key, before they are put within their limits. */
const NUMBERS: Record<string, (random: () => number) => number> = {
  year: (random) => LAST_YEAR - drawLogNormal(random, 9),
  'collectibles.year': (random) => LAST_YEAR - drawLogNormal(random, 45, 0.6),
  'art.year': (random) => LAST_YEAR - drawLogNormal(random, 35),
  mileage: (random) => drawLogNormal(random, 68_000, 0.7),
  storage: (random) => 2 ** (5 + Math.floor(random() * 7)),
  memory: (random) => 2 ** (2 + Math.floor(random() * 5)),
  rooms: (random) => Math.round(drawLogNormal(random, 3, 0.4) * 2) / 2,
  area: (random) => drawLogNormal(random, 75, 0.5),
  width: (random) => drawLogNormal(random, 110, 0.5),
  age: (random) => Math.floor(random() ** 2 * 13),
};

const findFor = <T>(values: Readonly<Record<string, T>>, category: string, key: string): T | undefined =>
  values[`${category}.${key}`] ?? values[key];

/** How to draw a value of this attribute; undefined if nothing is known about it. */
function createValueDraw(
  attribute: Attribute,
  category: string,
  random: () => number,
): (() => string | number) | undefined {
  const { key, type, options = {}, min = 0, max = Number.MAX_SAFE_INTEGER, decimals = 0 } = attribute;
  if (type === 'number') {
    const draw = findFor(NUMBERS, category, key);
    return draw && (() => Number(Math.min(max, Math.max(min, draw(random))).toFixed(decimals)));
  }
  const values = type === 'choice' ? Object.keys(options) : findFor(TEXTS, category, key)?.split(', ');
  return values && drawByZipf(values, random, 0.8);
}

/** Draws the condition, the kind of price and the details of ads of these categories. */
export function createDetailsDraw(categories: readonly string[], random: () => number) {
  const drawCondition = drawPair(CONDITION_WEIGHTS, random);
  const drawPriceType = drawPair(PRICE_TYPE_WEIGHTS, random);
  const attributes = new Map(
    categories.map((category) => [
      category,
      getAttributes(category).map(({ key }, i, all) => [key, createValueDraw(all[i]!, category, random)] as const),
    ]),
  );
  /** `usualPrice` is that of the things of the category, in dollars. */
  return ({ category, title, usualPrice }: { category: string; title: string; usualPrice: number }): DemoDetails => {
    if (random() < BARE) return { condition: null, priceType: 'fixed', details: {} };
    const drawn = drawPriceType();
    const priceType = drawn === 'free' && usualPrice > MOST_GIVEN_AWAY ? 'fixed' : drawn;
    const drawnCondition = title.startsWith('New ') ? 'new' : drawCondition();
    const condition = TIMELESS.has(category) || random() < WITHOUT_CONDITION ? null : drawnCondition;
    const details: Details = {};
    for (const [key, draw] of attributes.get(category) ?? [])
      if (draw && random() >= WITHOUT_DETAIL) details[key] = draw();
    return { condition, priceType, details };
  };
}

function drawPair<T>(pairs: readonly (readonly [T, number])[], random: () => number): () => T {
  const draw = drawByWeight(pairs, ([, weight]) => weight, random);
  return () => draw()[0];
}
