import type { FormEventHandler, ReactNode } from 'react';
import { FormProvider, useFormContext, useWatch } from 'react-hook-form';
import { LIMITS } from '../../../../../contract/limits.ts';
import { countCharacters } from '../../../../../contract/text.ts';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { Field, Input, NativeSelect, Textarea } from '../../../ui/form-controls.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { useCategories } from '../use-categories.ts';
import type { AdApiForm, AdValues } from './ad-values.ts';
import { ImageField } from './image-field.tsx';
import type { Images } from './use-images.ts';

interface AdFormProps {
  apiForm: AdApiForm;
  images: Images;
  maxBytesLabel: string;
  categoryValue: 'slug' | 'name';
  submitLabel: string;
  busyLabel: string;
  unsavedText: string;
  sendingText: string;
  onSubmit: FormEventHandler;
  onCancel: () => void;
  options: ReactNode;
}

const noop = (): void => undefined;
// A disabled fieldset still accepts dropped photos.
const LOCKED = { add: noop, move: noop };

export const AdForm = ({ apiForm, images, maxBytesLabel, categoryValue, ...props }: AdFormProps) => {
  const { form, submitRef, isSending, isSent } = apiForm;
  const hasOtherChanges = () => isSending || images.isDirty;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={props.onSubmit}>
        <div className="grid grid-cols-1 gap-10">
          <fieldset disabled={isSending} className="contents">
            <FormSection title="Photos" text="The first one is the cover. Clear, well-lit photos sell faster.">
              <ImageField images={isSending ? { ...images, ...LOCKED } : images} maxBytesLabel={maxBytesLabel} />
            </FormSection>
            <FormSection title="Details">
              <AdFields categoryValue={categoryValue} />
            </FormSection>
            <div className="grid gap-2">{props.options}</div>
          </fieldset>
          <div className="flex flex-col-reverse gap-3 border-t border-border pt-6 sm:flex-row sm:justify-end">
            <Button variant="outline" size="lg" busy={isSending} onClick={props.onCancel}>
              Cancel
            </Button>
            <Button ref={submitRef} type="submit" size="lg" busy={isSending} disabled={images.isWorking}>
              {isSending ? <Spinner /> : null}
              {isSending ? props.busyLabel : props.submitLabel}
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
