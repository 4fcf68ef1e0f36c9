import { type ReactNode, useCallback, useRef } from 'react';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { AdFields } from './ad-fields.tsx';
import type { AdValues } from './ad-values.ts';
import { FormSection } from './form-section.tsx';
import { ImageField } from './images/image-field.tsx';
import type { Images } from './images/use-images.ts';
import { UnsavedGuard } from './unsaved-guard.tsx';

interface AdFormProps {
  form: UseFormReturn<AdValues>;
  images: Images;
  maxBytesLabel: string;
  categoryValue: 'slug' | 'name';
  submitLabel: string;
  busyLabel: string;
  unsavedText: string;
  /** Answers whether it went well; then the form lets go without asking. */
  onSubmit: (values: AdValues) => Promise<(() => void) | undefined>;
  onCancel: () => void;
  options: ReactNode;
}

/** The form of create and edit: photos first, then details, price and place. */
export const AdForm = (props: AdFormProps) => {
  const { form, images, maxBytesLabel, categoryValue, submitLabel, busyLabel, unsavedText, options } = props;
  const { isDirty, isSubmitting } = form.formState;
  const state = useRef({ isDirty: false, isSaved: false });
  state.current.isDirty = isDirty || images.isDirty;
  const isUnsaved = useCallback(() => state.current.isDirty && !state.current.isSaved, []);

  const handleSubmit = form.handleSubmit(async (values) => {
    const leave = await props.onSubmit(values);
    if (!leave) return;
    state.current.isSaved = true;
    leave();
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={handleSubmit}>
        <div className="grid grid-cols-1 gap-10">
          <FormSection title="Photos" text="The first one is the cover. Clear, well-lit photos sell faster.">
            <ImageField images={images} maxBytesLabel={maxBytesLabel} />
          </FormSection>
          <FormSection title="Details">
            <AdFields categoryValue={categoryValue} />
          </FormSection>
          <div className="grid gap-2">{options}</div>
          <div className="flex flex-col-reverse gap-3 border-t border-border pt-6 sm:flex-row sm:justify-end">
            <Button variant="outline" size="lg" busy={isSubmitting} onClick={props.onCancel}>
              Cancel
            </Button>
            <Button type="submit" size="lg" busy={isSubmitting} disabled={images.isWorking}>
              {isSubmitting ? <Spinner /> : null}
              {isSubmitting ? busyLabel : submitLabel}
            </Button>
          </div>
        </div>
      </form>
      <UnsavedGuard isDirty={isUnsaved} text={unsavedText} />
    </FormProvider>
  );
};
