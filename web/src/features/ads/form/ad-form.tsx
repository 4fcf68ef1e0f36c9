import { type FormEvent, type ReactNode, useRef } from 'react';
import { FormProvider, useFormContext, useWatch } from 'react-hook-form';
import { CONDITIONS } from '../../../../../contract/conditions.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import type { PriceType } from '../../../../../contract/prices.ts';
import { PRICE_RULES } from '../../../../../contract/prices.ts';
import type { Category } from '../../../../../contract/stats.ts';
import { countCharacters } from '../../../../../contract/text.ts';
import { useSession } from '../../../api/session.ts';
import { lazyWithRetry } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { Field, Input, NativeSelect, Textarea } from '../../../ui/form-controls.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { PriceInput } from '../../../ui/price-input.tsx';
import { PhotoField } from '../../photos/photo-field.tsx';
import type { Photos } from '../../photos/use-photos.ts';
import { PlaceField } from '../../places/place-field.tsx';
import type { AdApiForm, AdValues } from './ad-values.ts';
import { useSubmitAfterUploads } from './use-submit-after-uploads.ts';

interface AdFormProps {
  apiForm: AdApiForm;
  photos: Photos;
  maxBytesLabel: string;
  categories: readonly Category[];
  submitLabel: string;
  busyLabel: string;
  unsavedText: string;
  sendingText: string;
  onSubmit: (event?: FormEvent) => unknown;
  onCancel: () => void;
  options: ReactNode;
}

const noop = (): void => undefined;
// A disabled fieldset still accepts dropped photos.
const LOCKED = { add: noop, move: noop };

export const AdForm = ({ apiForm, photos, maxBytesLabel, categories, ...props }: AdFormProps) => {
  const { form, submitRef, isSending, isSent } = apiForm;
  const hasOtherChanges = () => isSending || photos.isUnsent;
  const { isWaiting, handleSubmit } = useSubmitAfterUploads(apiForm, photos, props.onSubmit);
  const isBusy = isSending || isWaiting;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={handleSubmit}>
        <div className="grid grid-cols-1 gap-10">
          <fieldset disabled={isSending} className="contents">
            <FormSection title="Photos" text="The first one is the cover. Clear, well-lit photos sell faster.">
              <PhotoField photos={isSending ? { ...photos, ...LOCKED } : photos} maxBytesLabel={maxBytesLabel} />
            </FormSection>
            <FormSection title="Details">
              <AdFields categories={categories} />
            </FormSection>
            <div className="grid gap-2">{props.options}</div>
          </fieldset>
          <div className="flex flex-col-reverse gap-3 border-t border-border pt-6 sm:flex-row sm:justify-end">
            <Button variant="outline" size="lg" busy={isSending} onClick={props.onCancel}>
              Cancel
            </Button>
            <Button ref={submitRef} type="submit" size="lg" busy={isBusy}>
              {isBusy ? <Spinner /> : null}
              {isSending ? props.busyLabel : isWaiting ? 'Uploading photos…' : props.submitLabel}
            </Button>
          </div>
        </div>
      </form>
      <LeaveGuard
        isChanged={() => !isSent() && (hasOtherChanges() || apiForm.isChanged())}
        isUnsaved={() => !isSent() && (hasOtherChanges() || apiForm.isUnsaved())}
        text={isSending ? props.sendingText : props.unsavedText}
      />
    </FormProvider>
  );
};

const FormSection = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 gap-5">
    <header className="grid gap-1">
      <h2 className="card-heading">{title}</h2>
      {text ? <p className="text-sm text-muted-foreground">{text}</p> : null}
    </header>
    {children}
  </section>
);

export const AdFields = ({ categories }: Pick<AdFormProps, 'categories'>) => {
  const { register, formState } = useFormContext<AdValues>();
  const { errors } = formState;
  const { user } = useSession();
  const slug = useWatch<AdValues, 'category'>({ name: 'category' });
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
      <PriceFields />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Category" required error={errors.category?.message}>
          <NativeSelect
            options={[['', 'Choose a category'], ...categories.map(({ slug, name }) => [slug, name] as const)]}
            {...register('category')}
          />
        </Field>
        <Field label="Condition" error={errors.condition?.message}>
          <NativeSelect options={[['', 'Not stated'], ...Object.entries(CONDITIONS)]} {...register('condition')} />
        </Field>
      </div>
      {slug ? <DetailFields slug={slug} /> : null}
      <LocationField />
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

// The form works without them if their code cannot be loaded.
const DetailFields = lazyWithRetry<{ slug: string }>(
  () => import('./detail-fields.tsx').then((module) => module.DetailFields),
  () => null,
);

const PRICE_TYPE_LABELS: Record<PriceType, string> = {
  fixed: 'Fixed price',
  negotiable: 'Negotiable (or best offer)',
  free: 'Free',
  wanted: 'Wanted (I am looking for this)',
};

const PriceFields = () => {
  const { register, setValue, getValues, formState } = useFormContext<AdValues>();
  const { isFree } = PRICE_RULES[useWatch<AdValues, 'priceType'>({ name: 'priceType' })];
  const typedRef = useRef('');
  const { errors } = formState;
  const priceType = register('priceType');
  const handleType = (next: PriceType) => {
    const wasFree = PRICE_RULES[getValues('priceType')].isFree;
    const willBeFree = PRICE_RULES[next].isFree;
    if (willBeFree && !wasFree) {
      typedRef.current = getValues('price');
      setValue('price', '0', { shouldDirty: true, shouldValidate: Boolean(errors.price) });
    }
    if (!willBeFree && wasFree) setValue('price', typedRef.current, { shouldDirty: true });
  };
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field label="Price" required error={errors.price?.message}>
        <PriceInput {...register('price')} readOnly={isFree} />
      </Field>
      <Field label="Kind of price" error={errors.priceType?.message}>
        <NativeSelect
          {...priceType}
          options={Object.entries(PRICE_TYPE_LABELS)}
          onChange={(event) => {
            handleType(event.target.value as PriceType);
            return priceType.onChange(event);
          }}
        />
      </Field>
    </div>
  );
};

const LocationField = () => {
  const { setValue, formState } = useFormContext<AdValues>();
  const location = useWatch<AdValues, 'location'>({ name: 'location' });
  const { errors } = formState;
  return (
    <PlaceField
      label="Location"
      name="location"
      placeholder="City, State"
      hint="Choose a city from the list, and people nearby find your ad."
      error={errors.location?.message ?? errors.placeId?.message}
      text={location}
      onChange={(text, place) => {
        setValue('location', text, { shouldDirty: true, shouldValidate: Boolean(errors.location) });
        setValue('placeId', place?.id ?? '', { shouldDirty: true, shouldValidate: Boolean(errors.placeId) });
      }}
    />
  );
};

const Count = ({ name, max }: { name: 'title' | 'description'; max: number }) => {
  const value = useWatch<AdValues, typeof name>({ name });
  return (
    <span className="tabular-nums">
      {countCharacters((value ?? '').trim())}/{max}
    </span>
  );
};
