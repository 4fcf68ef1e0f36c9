import { usePreHydrationValue } from '../../../hooks/use-hydrated.ts';
import { Field, Input, NativeSelect } from '../../../ui/form-controls.tsx';
import { useCategories, useCategoryName } from '../use-categories.ts';
import { checkPrices, type useDebouncedField } from './use-filters.ts';

interface CategoryFieldProps {
  /** Its slug. */
  category: string | undefined;
  onChange: (slug: string) => void;
  className?: string;
}

export const CategoryField = ({ category = '', onChange, className }: CategoryFieldProps) => {
  const categories = useCategories();
  const name = useCategoryName(category) ?? '';
  // a disabled category
  const others = category === '' || categories.some(({ slug }) => slug === category) ? [] : [{ slug: category, name }];
  const select = usePreHydrationValue<HTMLSelectElement>(category, onChange);
  return (
    <Field label="Category" className={className}>
      <NativeSelect
        ref={select}
        value={category}
        options={[['', 'All categories'], ...[...categories, ...others].map(({ slug, name }) => [slug, name] as const)]}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
};

type DebouncedField = ReturnType<typeof useDebouncedField>;

interface PriceFieldsProps {
  min: DebouncedField;
  max: DebouncedField;
  className?: string;
}

/** Two fields. The first one shows what is wrong with either. */
export const PriceFields = ({ min, max, className }: PriceFieldsProps) => {
  const error = checkPrices({ minPrice: min.field.value.trim(), maxPrice: max.field.value.trim() });
  const common = { inputMode: 'decimal', placeholder: '$ any', autoComplete: 'off' } as const;
  return (
    <>
      <Field label="Min price" error={error} className={className}>
        <Input {...common} {...min.field} />
      </Field>
      <Field label="Max price" className={className}>
        <Input {...common} aria-invalid={error ? true : undefined} {...max.field} />
      </Field>
    </>
  );
};
