/** Numbers from 0 to 1 (exclusive), the same ones for equal seeds. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function drawByWeight<T>(
  items: readonly T[],
  weigh: (item: T, index: number) => number,
  random: () => number,
): () => T {
  const sums = new Float64Array(items.length);
  let total = 0;
  for (const [i, item] of items.entries()) sums[i] = total += weigh(item, i);
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

/** Draws from a list by Zipf's law: the weight of the n-th item is 1 / n^exponent. */
export const drawByZipf = <T>(items: readonly T[], random: () => number, exponent = 1): (() => T) =>
  drawByWeight(items, (_, i) => 1 / (i + 1) ** exponent, random);

/** Draws from a log-normal distribution: usually near `median`, occasionally many times as much. */
export function drawLogNormal(random: () => number, median: number, sigma = 0.9): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return median * Math.exp(sigma * normal);
}
