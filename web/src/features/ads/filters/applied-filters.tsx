import { X } from 'lucide-react';
import type { DistanceUnit } from '../../../../../contract/attributes.ts';
import { describeFilters, type FilterNames, type Filters } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { getPlace } from '../../../../../contract/places.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { useCategoryName } from '../use-categories.ts';

/** What the words of filters depend on. */
export const useFilterNames = ({ category, near }: Filters): FilterNames & { distanceUnit: DistanceUnit } => ({
  category: useCategoryName(category),
  place: useApiQuery(getPlace, near ? { params: { id: near } } : null).data?.name,
  distanceUnit: useSiteConfig().distanceUnit,
});

interface AppliedFilter {
  label: string;
  /** The changes that remove it. */
  without: Filters;
}

/** The filters in an address as people read them, apart from details, whose names are in a chunk of their own. */
export const useAppliedFilters = (filters: Filters): AppliedFilter[] =>
  describeFilters(filters, useFilterNames(filters)).map(({ words, without }) => ({
    label: words.charAt(0).toUpperCase() + words.slice(1),
    without,
  }));

export const FilterChip = ({ label, onRemove }: { label: string; onRemove: () => void }) => (
  <li className="max-w-full">
    <button
      type="button"
      aria-label={t('list.removeFilter', { filter: label })}
      onClick={onRemove}
      className="flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-medium text-accent-foreground hover:brightness-95"
    >
      <span className="truncate">{label}</span>
      <X className="size-3.5 shrink-0" />
    </button>
  </li>
);
