import { type Attribute, labelField } from '../../../../../contract/attributes.ts';
import type { DetailFilterName, Filters } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { Field, Input, NativeSelect } from '../../../ui/form-controls.tsx';
import { FilterChip } from './applied-filters.tsx';
import { describeDetails, listFilterableDetails, toDetailName } from './describe-details.ts';
import { useDebouncedField } from './use-filters.ts';

export const DetailChips = ({ filters, onRemove }: { filters: Filters; onRemove: (without: Filters) => void }) => {
  const { distanceUnit } = useSiteConfig();
  return describeDetails(listFilterableDetails(filters), filters, distanceUnit).map(({ key, label, without }) => (
    <FilterChip key={key} label={label} onRemove={() => onRemove(without)} />
  ));
};

interface DetailFiltersProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
}

export const DetailFilters = ({ filters, onChange }: DetailFiltersProps) =>
  listFilterableDetails(filters).map((attribute) => (
    <DetailFilter key={attribute.key} attribute={attribute} filters={filters} onChange={onChange} />
  ));

const DetailFilter = ({ attribute, filters, onChange }: DetailFiltersProps & { attribute: Attribute }) => {
  const { distanceUnit } = useSiteConfig();
  const { key, type, options = {} } = attribute;
  const label = labelField(attribute, distanceUnit);
  const bind = (name: DetailFilterName) => ({
    isNumber: type === 'number',
    applied: filters[name] ?? '',
    onApply: (value: string) => onChange({ [name]: value }),
  });
  if (type === 'number')
    return (
      <fieldset className="grid grid-cols-2 gap-3">
        <legend className="mb-1.5 text-sm font-medium">{label}</legend>
        <Field label={t('filters.labelFrom', { label: t(attribute.label) })} hideLabel>
          <DebouncedInput placeholder={t('filters.from')} {...bind(toDetailName(key, 'min'))} />
        </Field>
        <Field label={t('filters.labelUpTo', { label: t(attribute.label) })} hideLabel>
          <DebouncedInput placeholder={t('filters.upTo')} {...bind(toDetailName(key, 'max'))} />
        </Field>
      </fieldset>
    );
  return (
    <Field label={label}>
      {type === 'choice' ? (
        <NativeSelect
          value={filters[toDetailName(key)] ?? ''}
          options={[['', t('filters.anyChoice')], ...Object.entries(options)]}
          onChange={(event) => onChange({ [toDetailName(key)]: event.target.value })}
        />
      ) : (
        <DebouncedInput placeholder={t('filters.any')} {...bind(toDetailName(key))} />
      )}
    </Field>
  );
};

interface DebouncedInputProps {
  isNumber: boolean;
  placeholder: string;
  applied: string;
  onApply: (value: string) => void;
}

/** The other props are those by which Field connects its label. */
const DebouncedInput = ({ isNumber, applied, onApply, ...props }: DebouncedInputProps) => {
  const { field } = useDebouncedField(applied, onApply);
  return (
    <Input
      {...props}
      {...field}
      autoComplete="off"
      maxLength={LIMITS.detail}
      {...(isNumber && { inputMode: 'decimal' })}
    />
  );
};
