import { CONDITIONS, PRICE_TYPES } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { FilterName, Filters } from '../../../../contract/pages.ts';
import { formatPrice } from '../../../../contract/scalars.ts';
import type { Category } from '../../../../contract/stats.ts';
import { cutText } from '../../../../contract/text.ts';
import { useSiteConfig } from '../../lib/site-config.tsx';
import { usePlaceName } from '../ads/filters/applied-filters.tsx';
import { describeDetails, listFilterableDetails } from '../ads/filters/describe-details.ts';
import { useCategories } from '../ads/use-categories.ts';

const listLabels = (labels: Record<string, string>, values: string | undefined): string[] =>
  (values ?? '').split(',').flatMap((value) => labels[value] ?? []);

const describePrices = (minPrice: string | undefined, maxPrice: string | undefined): string[] => {
  if (minPrice && maxPrice) return [`${formatPrice(minPrice)} to ${formatPrice(maxPrice)}`];
  if (minPrice) return [`from ${formatPrice(minPrice)}`];
  return maxPrice ? [`up to ${formatPrice(maxPrice)}`] : [];
};

interface Names {
  /** Of the place of `near`. */
  place?: string | undefined;
  categories: readonly Category[];
  distanceUnit: string;
}

/** What the filters of a list mean, in words. */
export const describeFilters = (filters: Filters, { place = 'a place', categories, distanceUnit }: Names): string[] => {
  const { search, category, minPrice, maxPrice, near, radius, condition, priceType, hideSold, withPhotos } = filters;
  const details = describeDetails(listFilterableDetails(filters), filters, distanceUnit);
  const words: Record<Exclude<FilterName, 'maxPrice' | 'radius' | 'sort'> | 'details', string[]> = {
    search: search ? [`“${search}”`] : [],
    category: category ? [categories.find(({ slug }) => slug === category)?.name ?? category] : [],
    minPrice: describePrices(minPrice, maxPrice),
    near: near && radius ? [`within ${radius} ${distanceUnit} of ${place}`] : [],
    condition: listLabels(CONDITIONS, condition),
    priceType: listLabels(PRICE_TYPES, priceType),
    details: details.map(({ label }) => label),
    hideSold: hideSold === 'true' ? ['not sold'] : [],
    withPhotos: withPhotos === 'true' ? ['with photos'] : [],
  };
  return Object.values(words).flat();
};

/** A name for a search with these filters: sofa, Furniture, up to $300. */
export const proposeName = (filters: Filters, names: Names): string => {
  const { search, ...rest } = filters;
  return cutText([...(search ? [search] : []), ...describeFilters(rest, names)].join(', '), LIMITS.searchName);
};

/** What the words of filters depend on. */
export const useNames = ({ near }: Filters): Names => {
  const { distanceUnit } = useSiteConfig();
  return { place: usePlaceName({ near }), categories: useCategories(), distanceUnit };
};
