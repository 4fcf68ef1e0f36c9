import { useFormContext, useWatch } from 'react-hook-form';
import { LIMITS } from '../../../../../contract/limits.ts';
import { countCharacters } from '../../../../../contract/text.ts';
import { useSession } from '../../../api/session.ts';
import { Field, Input, NativeSelect, Textarea } from '../../../ui/form-controls.tsx';
import { useCategories } from '../use-categories.ts';
import type { AdValues } from './ad-values.ts';

export const AdFields = ({ categoryValue }: { categoryValue: 'slug' | 'name' }) => {
  const { register, formState } = useFormContext<AdValues>();
  const { errors } = formState;
  const { user } = useSession();
  const categories = useCategories();
  return (
    <>
      <Field label="Title" required error={errors.title?.message} hint={<Count name="title" max={LIMITS.title} />}>
        <Input placeholder="What are you selling?" autoComplete="off" {...register('title')} />
      </Field>
      <Field
        label="Description"
        required
        error={errors.description?.message}
        hint={<Count name="description" max={LIMITS.description} />}
      >
        <Textarea
          rows={6}
          placeholder="Condition, size, age, and why you are selling it"
          {...register('description')}
        />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Price" required error={errors.price?.message}>
          <PriceInput {...register('price')} />
        </Field>
        <Field label="Category" required error={errors.category?.message}>
          <NativeSelect {...register('category')}>
            <option value="">Choose a category</option>
            {categories.map((category) => (
              <option key={category.slug} value={category[categoryValue]}>
                {category.name}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <Field label="Location" error={errors.location?.message}>
        <Input placeholder="City, State" autoComplete="address-level2" {...register('location')} />
      </Field>
      {user?.canLinkOut ? (
        <Field
          label="External link"
          error={errors.externalLink?.message}
          hint="Shown as “View Product on External Site”"
        >
          <Input
            type="url"
            inputMode="url"
            placeholder="https://"
            maxLength={LIMITS.externalLink}
            {...register('externalLink')}
          />
        </Field>
      ) : null}
    </>
  );
};

const PriceInput = (props: React.ComponentProps<'input'>) => (
  <div className="relative">
    <span aria-hidden="true" className="absolute top-1/2 left-3 -translate-y-1/2 text-muted-foreground">
      $
    </span>
    <Input
      type="number"
      inputMode="decimal"
      min={0}
      step={0.01}
      placeholder="0.00"
      className="pl-7 tabular-nums"
      // Scrolling the page with the wheel must not change the price.
      onWheel={(event) => event.currentTarget.blur()}
      {...props}
    />
  </div>
);

const Count = ({ name, max }: { name: 'title' | 'description'; max: number }) => {
  const value = useWatch<AdValues, typeof name>({ name });
  return (
    <span className="tabular-nums">
      {countCharacters((value ?? '').trim())}/{max}
    </span>
  );
};
