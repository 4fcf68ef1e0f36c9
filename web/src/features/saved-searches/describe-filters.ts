import { CONDITIONS, PRICE_TYPES } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import type { FilterName } from '../../../../contract/pages.ts';
import { formatPrice } from '../../../../contract/scalars.ts';

const listLabels = (labels: Record<string, string>, values: string | undefined): string[] =>
  (values ?? '').split(',').flatMap((value) => labels[value] ?? []);

const describePrices = (minPrice: string | undefined, maxPrice: string | undefined): string[] => {
  if (minPrice && maxPrice) return [`${formatPrice(minPrice)} to ${formatPrice(maxPrice)}`];
  if (minPrice) return [`from ${formatPrice(minPrice)}`];
  return maxPrice ? [`up to ${formatPrice(maxPrice)}`] : [];
};

/** What the filters of a list mean, in words. `place` names that of `near`. */
export const describeFilters = (filters: Record<string, string | undefined>, place = 'a place'): string[] => {
  const { search, category, minPrice, maxPrice, near, radius, condition, priceType, hideSold, withPhotos } = filters;
  const details = Object.entries(filters).filter(([name]) => name.startsWith('d.'));
  const words: Record<Exclude<FilterName, 'maxPrice' | 'radius' | 'sort'> | 'details', string[]> = {
    search: search ? [`“${search}”`] : [],
    category: category ? [category] : [],
    minPrice: describePrices(minPrice, maxPrice),
    near: near && radius ? [`within ${radius} of ${place}`] : [],
    condition: listLabels(CONDITIONS, condition),
    priceType: listLabels(PRICE_TYPES, priceType),
    details: details.map(([name, value]) => {
      const [, key = '', bound] = name.split('.');
      return `${key}${bound === 'min' ? ' from' : bound === 'max' ? ' up to' : ':'} ${value}`;
    }),
    hideSold: hideSold === 'true' ? ['not sold'] : [],
    withPhotos: withPhotos === 'true' ? ['with photos'] : [],
  };
  return Object.values(words).flat();
};

/** A name for a search with these filters: “sofa”, Furniture, up to $300. */
export const proposeName = (filters: Record<string, string | undefined>, place?: string): string => {
  const { search, ...rest } = filters;
  const parts = [...(search ? [search] : []), ...describeFilters(rest, place)];
  return [...parts.join(', ')].slice(0, LIMITS.searchName).join('');
};
