import { type AdFragments, openAdFragments } from './features/ads/fragments.ts';
import { openPricedPages, type PricedPages } from './features/ads/priced-pages.ts';
import { type CategoryLookup, openCategoryLookup } from './features/categories/lookup.ts';

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
