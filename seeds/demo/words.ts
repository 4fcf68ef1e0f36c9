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

export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

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

/** Draws from a list by Zipf's law: the weight of the n-th item is 1 / n^exponent. */
export function drawByZipf<T>(items: readonly T[], random: () => number, exponent = 1): () => T {
  const sums = new Float64Array(items.length);
  let total = 0;
  for (let i = 0; i < items.length; i++) sums[i] = total += 1 / (i + 1) ** exponent;
  return () => {
    const target = random() * total;
    let low = 0;
    for (let high = sums.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return items[low]!;
  };
}

/** Draws from a log-normal distribution: usually near `median`, occasionally many times as much. */
export function drawLogNormal(random: () => number, median: number, sigma = 0.9): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(sigma * normal);
}
