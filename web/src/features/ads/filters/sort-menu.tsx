import { type Filters, SORTS } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { Field, NativeSelect } from '../../../ui/form-controls.tsx';

interface SortMenuProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
}

/** The order of a list. An order by distance needs the place of its list, and best match needs words. */
export const SortMenu = ({ filters: { near, search, sort }, onChange }: SortMenuProps) => {
  const usual = search ? 'best' : 'newest';
  return (
    <Field label={t('list.sortBy')} hideLabel className="w-40 max-w-full md:w-44">
      <NativeSelect
        value={sort ?? usual}
        options={Object.entries(SORTS).filter(([name]) => (name !== 'nearest' || near) && (name !== 'best' || search))}
        onChange={({ target: { value } }) => onChange({ sort: value === usual ? '' : value })}
      />
    </Field>
  );
};
