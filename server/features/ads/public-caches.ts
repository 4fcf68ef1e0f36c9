import { type CategoryLookup, openCategoryLookup } from '../categories/lookup.ts';
import { type AdFragments, openAdFragments } from './ad-json-cache.ts';
import { openPricedPages, type PricedPages } from './search/price-index-cache.ts';

/** What a process knows of public data for a second. */
export interface PublicMemory {
  /** Public ads as JSON. */
  fragments: AdFragments;
  /** Lists by price. */
  pricedPages: PricedPages;
  categories: CategoryLookup;
}

/** Knows nothing yet: also for who has just written and is told nothing from anybody's memory. */
export const openPublicMemory = (): PublicMemory => ({
  fragments: openAdFragments(),
  pricedPages: openPricedPages(),
  categories: openCategoryLookup(),
});

/** Something public changed here. */
export function forgetPublic({ fragments, pricedPages, categories }: PublicMemory): void {
  fragments.clear();
  pricedPages.clear();
  categories.clear();
}
