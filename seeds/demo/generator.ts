import { toLocalPrice } from '../prices.ts';
import { createDetailsDraw, type DemoDetails } from './details.ts';
import { createPlaceDraw, type DemoPlace } from './places.ts';
import { createRandom, drawByZipf, drawLogNormal } from './random.ts';
import {
  ADJECTIVES,
  CITIES,
  FIRST_NAMES,
  JAPANESE_ENDING,
  JAPANESE_THINGS,
  LAST_NAMES,
  OPENINGS,
  THINGS,
} from './things.ts';

export interface DemoOptions {
  ads: number;
  sellers: number;
  seed: number;
  /** Slugs, most popular category first. */
  categories: readonly string[];
  /** Of which ads get theirs. */
  places: readonly DemoPlace[];
}

export interface DemoAd extends DemoDetails {
  seller: number;
  category: string;
  title: string;
  description: string;
  price: string;
  location: string;
  placeId: string | null;
  isSold: boolean;
  isActive: boolean;
  views: number;
  photos: number;
}

const DAYS_LISTED = 29;
const SOLD = 0.04;
const INACTIVE = 0.03;
const JAPANESE = 0.03;

/** Ad 0 is the oldest. `age` falls from 1 (oldest) to 0. */
export function createGenerator({ ads, sellers, seed, categories, places }: DemoOptions) {
  const random = createRandom(seed);
  const drawWord = drawByZipf(makeVocabulary(createRandom(seed + 1)), random);
  const drawCategory = drawByZipf(categories, random, 0.9);
  const drawSeller = drawByZipf(
    Array.from({ length: sellers }, (_, i) => i),
    random,
    0.5,
  );
  // from numbers of their own: all else is the same with and without places
  const drawPlace = createPlaceDraw(places, createRandom(seed + 2));
  const drawDetails = createDetailsDraw(categories, createRandom(seed + 3));
  const randomForJapanese = createRandom(seed + 4);
  const writeJapanese = (): string =>
    randomForJapanese() < JAPANESE
      ? ` ${JAPANESE_ENDING.replace('%', JAPANESE_THINGS[Math.floor(randomForJapanese() * JAPANESE_THINGS.length)]!)}`
      : '';
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

  function writeDescription(noun: string, age: number): string {
    const words = Array.from({ length: 18 + Math.floor(random() * 18) }, drawWord);
    const trap = random();
    if (trap < 0.2) words.push(DEMO_TRAPS.neverTogether[0]);
    else if (trap < 0.4) words.push(DEMO_TRAPS.neverTogether[1]);
    if (age > 0.9 && random() < 0.3) words.push(DEMO_TRAPS.onlyOld);
    return `${pick(OPENINGS).replace('%', noun)} ${toSentences(words)}`;
  }

  return {
    seller: (i: number) => ({
      displayName: `${FIRST_NAMES[i % FIRST_NAMES.length]} ${LAST_NAMES[Math.floor(i / FIRST_NAMES.length) % LAST_NAMES.length]}`,
      isVerified: random() < 0.1,
      isPremium: random() < 0.15,
      createdDaysAgo: Math.floor(random() * 700) + DAYS_LISTED,
    }),
    ad(i: number): DemoAd & { daysAgo: number } {
      const age = 1 - i / ads;
      const category = drawCategory();
      const { nouns, price } = THINGS[category] ?? THINGS.other!;
      const noun = pick(nouns);
      const words = `${pick(ADJECTIVES)} ${noun} ${drawWord()}`.slice(0, 100);
      const title = words[0]!.toUpperCase() + words.slice(1);
      const place = drawPlace();
      const details = drawDetails({ category, title, usualPrice: price });
      const seller = drawSeller();
      const description = `${writeDescription(noun, age)}${writeJapanese()}`.slice(0, 1000);
      const drawnPrice = Math.min(99_999_999, Math.max(1, drawLogNormal(random, price))).toFixed(
        random() < 0.6 ? 0 : 2,
      );
      const city = pick(CITIES);
      return {
        seller,
        category,
        title,
        description,
        ...details,
        price: toLocalPrice(details.priceType === 'free' ? '0' : drawnPrice),
        location: place?.label ?? city,
        placeId: place?.id ?? null,
        isSold: random() < SOLD,
        isActive: random() >= INACTIVE,
        views: Math.floor(drawLogNormal(random, 12, 1.2)),
        photos: pick([0, 1, 1, 2, 3]),
        daysAgo: age * DAYS_LISTED,
      };
    },
    random,
  };
}

function toSentences(words: string[]): string {
  const sentences: string[] = [];
  for (let i = 0; i < words.length; i += 9) {
    const sentence = words.slice(i, i + 9).join(' ');
    sentences.push(`${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`);
  }
  return sentences.join(' ');
}

const HEAD =
  'sale good condition use price pickup delivery cash original box works fine clean home set size color black white small large great quality brand year month new like perfect offer available today weekend evening call message question picture detail model type wood metal glass cotton leather plastic battery charger cable manual warranty receipt gift kids family garden kitchen office room storage repair part spare extra free cheap best fast light heavy strong soft warm cold winter summer travel outdoor indoor safe simple easy smart classic modern'.split(
    ' ',
  );
const SYLLABLES =
  'ba be bo bra bri ca ce co cra da de di do dra el en fa fe fi flo ga ge gla go gra ha he hi ja jo ka ke ki kla ko la le li lo lu ma me mi mo na ne ni no nu pa pe pi pla po ra re ri ro ru sa se si ska so sta su ta te ti to tra tu va ve vi vo wa we za ze zo'.split(
    ' ',
  );
const ENDINGS = ['', 'n', 'r', 's', 'l', 't', 'x', 'm'];

/**
 * Three cases in which a naive search is slow (docs/PERFORMANCE.md): a word that only the oldest tenth of the ads
 * contains, two common words that never occur in the same ad, and an item that the searched category does not contain.
 */
export const DEMO_TRAPS = {
  onlyOld: 'gramophone',
  neverTogether: ['heirloom', 'refurbished'],
  wrongCategory: { word: 'sofa', category: 'electronics' },
} as const;

/** `count` different words, most frequent first. The rare words are invented. */
export function makeVocabulary(random: () => number, count = 40_000): string[] {
  const words = new Set(HEAD);
  while (words.size < count) {
    const length = 2 + Math.floor(random() * 3);
    let word = '';
    for (let i = 0; i < length; i++) word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
    words.add(word + ENDINGS[Math.floor(random() * ENDINGS.length)]);
  }
  return [...words];
}
