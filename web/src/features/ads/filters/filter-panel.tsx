import { ListFilter, Search } from 'lucide-react';
import { useState } from 'react';
import { listApplied } from '../../../../../contract/filters.ts';
import { preload } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/form-controls.tsx';
import { lazyOverlay } from '../../../ui/lazy-overlays.tsx';
import { CategoryField, PriceFields } from './basic-fields.tsx';
import { type FilterEditorProps, useDebouncedField, usePriceField } from './use-filters.ts';

const loadSheet = () => import('./filter-sheet.tsx').then((module) => module.FilterSheet);
const FilterSheet = lazyOverlay(loadSheet);

/** The filters that most people need. The others, and on phones all but the words, are in a sheet. */
export const FilterPanel = ({ filters, onChange, onClear, total }: FilterEditorProps) => {
  const [isOpen, setOpen] = useState(false);
  const search = useDebouncedField(filters.search ?? '', (value) => onChange({ search: value }, 'replace'));
  const minPrice = usePriceField(filters.minPrice ?? '', (value) => onChange({ minPrice: value }, 'replace'));
  const maxPrice = usePriceField(filters.maxPrice ?? '', (value) => onChange({ maxPrice: value }, 'replace'));
  const handleClear = () => {
    for (const field of [search, minPrice, maxPrice]) field.clear();
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
    <section
      aria-label="Filters"
      className="grid gap-3 rounded-card border border-border bg-card p-3 sm:grid-cols-2 sm:p-4 lg:grid-cols-[2fr_1.5fr_1fr_1fr_auto]"
    >
      <div className="flex gap-2">
        <div className="relative min-w-0 flex-1">
          <Search className="pointer-events-none absolute top-[calc(50%+0.8rem)] left-3 z-1 size-4 -translate-y-1/2 text-muted-foreground max-sm:top-1/2 max-[26rem]:hidden" />
          <Field label="Search" className="max-sm:[&_label]:sr-only">
            <Input
              type="search"
              placeholder="What are you looking for?"
              maxLength={200}
              enterKeyHint="search"
              className="pl-9 max-[26rem]:pl-3"
              {...search.field}
            />
          </Field>
        </div>
        <Button variant="outline" className="max-[26rem]:px-3 sm:hidden" {...opens}>
          <ListFilter />
          {/* On most phones there is room for the icon only. */}
          <span className="max-[26rem]:sr-only">{count > 0 ? `Filters (${count})` : 'Filters'}</span>
          {count > 0 ? (
            <span aria-hidden="true" className="min-[26rem]:hidden">
              {count}
            </span>
          ) : null}
        </Button>
      </div>
      <CategoryField
        category={filters.category}
        onChange={(category) => onChange({ category }, 'push')}
        className="max-sm:hidden"
      />
      <PriceFields min={minPrice} max={maxPrice} className="max-sm:hidden" />
      <div className="flex gap-2 self-end max-sm:hidden sm:max-lg:col-span-2 lg:mt-6.5 lg:self-start">
        <Button variant="outline" {...opens}>
          <ListFilter />
          More filters
        </Button>
        {/* Not disabled, because a button that becomes disabled loses the focus. */}
        <Button variant="ghost" busy={count === 0} onClick={handleClear}>
          Clear
        </Button>
      </div>
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
