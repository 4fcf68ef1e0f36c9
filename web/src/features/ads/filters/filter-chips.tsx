import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { type Filters, isDetailFilter } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { SCROLL_TO_RESULTS, useList } from '../../../hooks/use-list.ts';
import { lazyWithRetry } from '../../../lib/chunks.ts';
import { InBrowser } from '../../../ui/in-browser.tsx';
import { CategoryIcon } from '../category-icon.tsx';
import { usePopularCategories } from '../use-categories.ts';
import { FilterChip, useAppliedFilters } from './applied-filters.tsx';

interface FilterChipsProps {
  filters: Filters;
  onRemove: (without: Filters) => void;
  /** What one can do with the applied filters. */
  children?: ReactNode;
}

const DetailChips = lazyWithRetry<Omit<FilterChipsProps, 'children'>>(
  () => import('./detail-filters.tsx').then((module) => module.DetailChips),
  () => null,
);

export const FilterChips = ({ filters, onRemove, children }: FilterChipsProps) => {
  const applied = useAppliedFilters(filters);
  const hasDetails = Object.keys(filters).some(isDetailFilter);
  if (applied.length === 0 && !hasDetails) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <ul aria-label={t('list.appliedFilters')} className="flex min-w-0 flex-wrap gap-2">
        {applied.map(({ label, without }) => (
          <FilterChip key={label} label={label} onRemove={() => onRemove(without)} />
        ))}
        {hasDetails ? (
          <InBrowser>
            <DetailChips filters={filters} onRemove={onRemove} />
          </InBrowser>
        ) : null}
      </ul>
      {children}
    </div>
  );
};

const SHOWN = 8;
/** Links to the same search in another category, in one row. */
export const CategoryChips = () => {
  const { chosen, toChanged } = useList();
  const popular = usePopularCategories().slice(0, SHOWN);
  return (
    <nav aria-label={t('list.popularCategories')}>
      {/* a mouse hardly scrolls sideways: a wide screen has as many as fit */}
      <ul className="flex gap-2 *:shrink-0 md:max-xl:[&>:nth-child(n+5):not(:last-child)]:hidden xl:[&>:nth-child(n+6):not(:last-child)]:hidden">
        {popular.map((category) => (
          <li key={category.slug}>
            <Link
              to={toChanged({ category: category.slug })}
              state={SCROLL_TO_RESULTS}
              preventScrollReset
              aria-current={chosen.category === category.slug ? 'true' : undefined}
              className="flex min-h-11 md:min-h-10 items-center gap-2 rounded-full border border-border bg-card px-3.5 text-sm font-medium hover:border-input hover:bg-muted aria-[current]:border-primary aria-[current]:bg-accent aria-[current]:text-accent-foreground"
            >
              <CategoryIcon category={category} className="size-4" />
              {category.name}
            </Link>
          </li>
        ))}
        <li>
          <Link
            to="/categories"
            className="flex min-h-11 md:min-h-10 items-center rounded-full px-3.5 text-sm font-medium text-link"
          >
            {t('list.allCategories')}
          </Link>
        </li>
      </ul>
    </nav>
  );
};
