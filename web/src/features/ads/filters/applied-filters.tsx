import { X } from 'lucide-react';
import { CONDITIONS, PRICE_TYPES } from '../../../../../contract/ads.ts';
import type { DetailFilterName, FilterName, Filters } from '../../../../../contract/pages.ts';
import { getPlace } from '../../../../../contract/places.ts';
import { formatPrice } from '../../../../../contract/scalars.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { useCategoryName } from '../use-categories.ts';

interface AppliedFilter {
  label: string;
  /** The changes that remove it. */
  without: Filters;
}

const toLabels = (values: string | undefined, labels: Record<string, string>): string | undefined =>
  values
    ?.split(',')
    .map((value) => labels[value] ?? value)
    .join(', ');

/** Kinds of price as filters. */
export const KIND_LABELS = { ...PRICE_TYPES, negotiable: 'Negotiable' };

export const isDetailFilter = (name: string): name is DetailFilterName => name.startsWith('d.');

/** The name of the place of the filters. */
export const usePlaceName = ({ near }: { near?: string | undefined }): string | undefined =>
  useApiQuery(getPlace, near ? { params: { id: near } } : null).data?.name;

/** The filters in an address as people read them, apart from details, whose names are in a chunk of their own. */
export const useAppliedFilters = (filters: Filters): AppliedFilter[] => {
  const { distanceUnit } = useSiteConfig();
  const { near, radius } = filters;
  const category = useCategoryName(filters.category);
  const place = usePlaceName(filters) ?? 'this place';
  const labels: Record<Exclude<FilterName, 'radius' | 'sort'>, string | undefined | false> = {
    category,
    minPrice: filters.minPrice && `From ${formatPrice(filters.minPrice)}`,
    maxPrice: filters.maxPrice && `Up to ${formatPrice(filters.maxPrice)}`,
    priceType: toLabels(filters.priceType, KIND_LABELS),
    near: near && (radius ? `Within ${radius} ${distanceUnit} of ${place}` : `Distance from ${place}`),
    condition: toLabels(filters.condition, CONDITIONS),
    hideSold: filters.hideSold === 'true' && 'Hide sold',
    withPhotos: filters.withPhotos === 'true' && 'With photos',
    search: filters.search && `“${filters.search}”`,
  };
  return Object.entries(labels).flatMap(([name, label]) => (label ? [{ label, without: { [name]: '' } }] : []));
};

export const FilterChip = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <li className="max-w-full">
    <button
      type="button"
      aria-label={`Remove filter ${label}`}
      onClick={onRemove}
      className="flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-medium text-accent-foreground hover:brightness-95"
    >
      <span className="truncate">{label}</span>
      <X className="size-3.5 shrink-0" />
    </button>
  </li>
);
