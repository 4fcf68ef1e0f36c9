import { X } from 'lucide-react';
import { formatPrice } from '../../../../contract/format-price.ts';
import { FILTER_NAMES, type FilterName, type Filters } from './use-filters.ts';

const LABELS: Record<FilterName, (value: string) => string> = {
  category: (value) => value,
  minPrice: (value) => `From ${formatPrice(value)}`,
  maxPrice: (value) => `Up to ${formatPrice(value)}`,
  search: (value) => `“${value}”`,
};

/** The applied filters once more, each to be taken away with one click. */
export const FilterChips = ({ filters, onRemove }: { filters: Filters; onRemove: (name: FilterName) => void }) => {
  const applied = FILTER_NAMES.filter((name) => filters[name]);
  if (applied.length === 0) return null;
  return (
    <ul aria-label="Applied filters" className="flex flex-wrap gap-2">
      {applied.map((name) => {
        const label = LABELS[name](filters[name] ?? '');
        return (
          <li key={name} className="max-w-full">
            <button
              type="button"
              aria-label={`Remove filter ${label}`}
              onClick={() => onRemove(name)}
              className="flex min-h-8 max-w-full items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-medium text-accent-foreground hover:brightness-95"
            >
              <span className="truncate">{label}</span>
              <X aria-hidden="true" className="size-3.5 shrink-0" />
            </button>
          </li>
        );
      })}
    </ul>
  );
};
