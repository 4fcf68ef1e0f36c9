import { CONDITIONS, PRICE_TYPES } from '../../../../contract/ads.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { formatPrice } from '../../../../contract/scalars.ts';

const listLabels = (labels: Record<string, string>, values: string | undefined): string[] =>
  (values ?? '').split(',').flatMap((value) => labels[value] ?? []);

/** What the filters of a list mean, in words. `place` names that of `near`. */
export const describeFilters = (filters: Record<string, string | undefined>, place = 'a place'): string[] => {
  const { search, category, minPrice, maxPrice, near, radius, condition, priceType, hideSold, withPhotos } = filters;
  const details = Object.entries(filters).filter(([name]) => name.startsWith('d.'));
  return [
    ...(search ? [`“${search}”`] : []),
    ...(category ? [category] : []),
    ...(minPrice && maxPrice ? [`${formatPrice(minPrice)} to ${formatPrice(maxPrice)}`] : []),
    ...(minPrice && !maxPrice ? [`from ${formatPrice(minPrice)}`] : []),
    ...(maxPrice && !minPrice ? [`up to ${formatPrice(maxPrice)}`] : []),
    ...(near && radius ? [`within ${radius} of ${place}`] : []),
    ...listLabels(CONDITIONS, condition),
    ...listLabels(PRICE_TYPES, priceType),
    ...details.map(([name, value]) => {
      const [, key = '', bound] = name.split('.');
      return `${key}${bound === 'min' ? ' from' : bound === 'max' ? ' up to' : ':'} ${value}`;
    }),
    ...(hideSold === 'true' ? ['not sold'] : []),
    ...(withPhotos === 'true' ? ['with photos'] : []),
  ];
};

/** A name for a search with these filters: “sofa”, Furniture, up to $300. */
export const proposeName = (filters: Record<string, string | undefined>, place?: string): string => {
  const { search, ...rest } = filters;
  const parts = [...(search ? [search] : []), ...describeFilters(rest, place)];
  return [...parts.join(', ')].slice(0, LIMITS.searchName).join('');
};
