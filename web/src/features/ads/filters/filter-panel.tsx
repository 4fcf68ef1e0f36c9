import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { listApplied } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { preload } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyOverlay } from '../../../ui/lazy-overlays.tsx';
import { SearchForm } from '../../search/search-form.tsx';
import { CategoryField, PriceFields } from './basic-fields.tsx';
import { type FilterEditorProps, usePriceField } from './use-filters.ts';

const loadSheet = () => import('./filter-sheet.tsx').then((module) => module.FilterSheet);
const FilterSheet = lazyOverlay(loadSheet);

/** The filters that most people need. The others, and on phones all but the words, are in a sheet. A wide screen has its search in the navbar. */
export const FilterPanel = ({ filters, onChange, onClear, total }: FilterEditorProps) => {
  const [isOpen, setOpen] = useState(false);
  const minPrice = usePriceField(filters.minPrice ?? '', (value) => onChange({ minPrice: value }, 'replace'));
  const maxPrice = usePriceField(filters.maxPrice ?? '', (value) => onChange({ maxPrice: value }, 'replace'));
  const handleClear = () => {
    for (const field of [minPrice, maxPrice]) field.clear();
    onClear();
  };
  const count = listApplied(filters).length;
  const opens = {
    'aria-haspopup': 'dialog',
    onPointerEnter: preload(loadSheet),
    onFocus: preload(loadSheet),
    onClick: () => setOpen(true),
  } as const;
  return (
    <section aria-label={t('list.filters')} className="flex gap-2">
      <SearchForm className="min-w-0 flex-1 md:hidden" />
      <CategoryField
        category={filters.category}
        onChange={(category) => onChange({ category }, 'push')}
        hideLabel
        className="min-w-44 max-md:hidden"
      />
      <PriceFields min={minPrice} max={maxPrice} hideLabel className="w-28 max-md:hidden" />
      <Button variant="outline" className="max-md:px-3" {...opens}>
        <ListFilter />
        <span className="max-md:sr-only">{t('list.moreFilters')}</span>
        {count > 0 ? (
          <span aria-hidden="true" className="tabular-nums md:hidden">
            {count}
          </span>
        ) : null}
      </Button>
      {/* Not disabled, because a button that becomes disabled loses the focus. */}
      <Button variant="ghost" busy={count === 0} onClick={handleClear} className="max-md:hidden">
        {t('list.clear')}
      </Button>
      <FilterSheet
        open={isOpen}
        onOpenChange={setOpen}
        filters={filters}
        onChange={onChange}
        onClear={handleClear}
        total={total}
      />
    </section>
  );
};
