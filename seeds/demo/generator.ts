import { ADJECTIVES, CITIES, FIRST_NAMES, LAST_NAMES, OPENINGS, THINGS } from './things.ts';
import { createRandom, DEMO_TRAPS, drawByZipf, drawLogNormal, makeVocabulary } from './words.ts';

export interface DemoOptions {
  ads: number;
  sellers: number;
  /** Equal seeds create equal data. */
  seed: number;
  /** Slugs, most popular category first. */
  categories: readonly string[];
}

export interface DemoAd {
  seller: number;
  category: string;
  title: string;
  description: string;
  price: string;
  location: string;
  isSold: boolean;
  isActive: boolean;
  views: number;
  photos: number;
}

const DAYS_LISTED = 29;
const SOLD = 0.04;
const INACTIVE = 0.03;

/** Ad 0 is the oldest. `age` falls from 1 (oldest) to 0. */
export function createGenerator({ ads, sellers, seed, categories }: DemoOptions) {
  const random = createRandom(seed);
  const drawWord = drawByZipf(makeVocabulary(createRandom(seed + 1)), random);
  const drawCategory = drawByZipf(categories, random, 0.9);
  const drawSeller = drawByZipf(
    Array.from({ length: sellers }, (_, i) => i),
    random,
    0.5,
  );
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
      const title = `${pick(ADJECTIVES)} ${noun} ${drawWord()}`.slice(0, 100);
      return {
        seller: drawSeller(),
        category,
        title: title[0]!.toUpperCase() + title.slice(1),
        description: writeDescription(noun, age).slice(0, 1000),
        price: Math.min(99_999_999, Math.max(1, drawLogNormal(random, price))).toFixed(random() < 0.6 ? 0 : 2),
        location: pick(CITIES),
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
