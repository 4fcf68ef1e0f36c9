import { type Filters, SORTS } from '../../../../../contract/filters.ts';
import { Field, NativeSelect } from '../../../ui/form-controls.tsx';

interface SortMenuProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
}

/** The order of a list. An order by distance needs the place of its list. */
export const SortMenu = ({ filters: { sort = 'newest', near }, onChange }: SortMenuProps) => (
  <Field label="Sort by" hideLabel className="min-w-[min(11rem,100%)]">
    <NativeSelect
      value={sort}
      options={Object.entries(SORTS).filter(([name]) => name !== 'nearest' || near)}
      onChange={({ target: { value } }) => onChange({ sort: value === 'newest' ? '' : value })}
    />
  </Field>
);
