import { type CategoryLookup, createCategoryLookup } from '../categories/lookup.ts';
import { type AdJsonCache, createAdJsonCache } from './ad-json-cache.ts';
import { createPriceIndexCache, type PriceIndexCache } from './search/price-index-cache.ts';

/** What a process knows of public data for a second. */
export interface PublicCaches {
  /** Public ads as JSON. */
  adJsonCache: AdJsonCache;
  /** Lists by price. */
  priceIndexCache: PriceIndexCache;
  categories: CategoryLookup;
}

/** Knows nothing yet: also for who has just written and is told nothing from anybody's memory. */
export const createPublicCaches = (): PublicCaches => ({
  adJsonCache: createAdJsonCache(),
  priceIndexCache: createPriceIndexCache(),
  categories: createCategoryLookup(),
});

/** Something public changed here. */
export function clearPublicCaches({ adJsonCache, priceIndexCache, categories }: PublicCaches): void {
  adJsonCache.clear();
  priceIndexCache.clear();
  categories.clear();
}
