import { t } from '../../../../../contract/i18n.ts';
import { findPart } from '../../../../../contract/money.ts';
import { usePreHydrationValue } from '../../../hooks/use-hydrated.ts';
import { Field, Input, NativeSelect } from '../../../ui/form-controls.tsx';
import { useCategories, useCategoryName } from '../use-categories.ts';
import { checkPrices, type useDebouncedField } from './use-filters.ts';

interface CategoryFieldProps {
  /** Its slug. */
  category: string | undefined;
  onChange: (slug: string) => void;
  hideLabel?: boolean;
  className?: string;
}

export const CategoryField = ({ category = '', onChange, ...field }: CategoryFieldProps) => {
  const categories = useCategories();
  const name = useCategoryName(category) ?? '';
  // a disabled category
  const others = category === '' || categories.some(({ slug }) => slug === category) ? [] : [{ slug: category, name }];
  const select = usePreHydrationValue<HTMLSelectElement>(category, onChange);
  return (
    <Field label={t('list.category')} {...field}>
      <NativeSelect
        ref={select}
        value={category}
        options={[
          ['', t('list.allCategories')],
          ...[...categories, ...others].map(({ slug, name }) => [slug, name] as const),
        ]}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
};

type DebouncedField = ReturnType<typeof useDebouncedField>;

interface PriceFieldsProps {
  min: DebouncedField;
  max: DebouncedField;
  hideLabel?: boolean;
  className?: string;
}

/** Two fields. The first one shows what is wrong with either. */
export const PriceFields = ({ min, max, ...field }: PriceFieldsProps) => {
  const error = checkPrices({ minPrice: min.field.value.trim(), maxPrice: max.field.value.trim() });
  const common = { inputMode: 'decimal', autoComplete: 'off' } as const;
  const sign = findPart('currency');
  const any = t('list.hintAny', { sign });
  return (
    <>
      <Field label={t('list.minPrice')} error={error} {...field}>
        <Input {...common} placeholder={field.hideLabel ? t('list.hintMin', { sign }) : any} {...min.field} />
      </Field>
      <Field label={t('list.maxPrice')} {...field}>
        <Input
          {...common}
          placeholder={field.hideLabel ? t('list.hintMax', { sign }) : any}
          aria-invalid={error ? true : undefined}
          {...max.field}
        />
      </Field>
    </>
  );
};
