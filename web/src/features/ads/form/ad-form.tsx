import { type ReactNode, useRef, useState } from 'react';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import { useFocusFirstError } from '../../../hooks/use-focus-first-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { AdFields } from './ad-fields.tsx';
import { type AdValues, isSameAd } from './ad-values.ts';
import { ImageField } from './image-field.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';
import type { Images } from './use-images.ts';

interface AdFormProps {
  form: UseFormReturn<AdValues>;
  images: Images;
  maxBytesLabel: string;
  categoryValue: 'slug' | 'name';
  submitLabel: string;
  busyLabel: string;
  /** The texts without any change or draft; ending the session leaves no others. */
  saved: AdValues;
  unsavedText: string;
  sendingText: string;
  /** Answers whether it went well; then the form lets go without asking. */
  onSubmit: (values: AdValues) => Promise<(() => void) | undefined>;
  onCancel: () => void;
  options: ReactNode;
}

const nothing = (): void => undefined;
// Pictures can also be dropped on what a disabled fieldset holds.
const HELD = { add: nothing, move: nothing };

/** The form of create and edit: photos first, then details, price and place. */
export const AdForm = (props: AdFormProps) => {
  const { form, images, maxBytesLabel, categoryValue, submitLabel, busyLabel, options } = props;
  const { saved, unsavedText, sendingText } = props;
  const { isDirty } = form.formState;
  const [isSending, setSending] = useState(false);
  const submit = useRef<HTMLButtonElement>(null);
  const isSaved = useRef(false);
  const isChanged = images.isDirty || isSending;
  const isForgotten = () => !isSaved.current && (isChanged || !isSameAd(form.getValues(), saved));
  const isUnsaved = () => isForgotten() && (isChanged || isDirty);

  const leadToFault = useFocusFirstError(submit);
  const handleSubmit = form.handleSubmit(async (values) => {
    // Nothing is taken from here on, for it would not be sent: so the fields are disabled, and one may hold the focus.
    submit.current?.focus();
    setSending(true);
    const leave = await props.onSubmit(values);
    if (!leave) {
      leadToFault();
      return setSending(false);
    }
    isSaved.current = true;
    // Whoever has left meanwhile stays where they went.
    if (submit.current) leave();
  });

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={handleSubmit}>
        <div className="grid grid-cols-1 gap-10">
          <fieldset disabled={isSending} className="contents">
            <FormSection title="Photos" text="The first one is the cover. Clear, well-lit photos sell faster.">
              <ImageField images={isSending ? { ...images, ...HELD } : images} maxBytesLabel={maxBytesLabel} />
            </FormSection>
            <FormSection title="Details">
              <AdFields categoryValue={categoryValue} />
            </FormSection>
            <div className="grid gap-2">{options}</div>
          </fieldset>
          <div className="flex flex-col-reverse gap-3 border-t border-border pt-6 sm:flex-row sm:justify-end">
            <Button variant="outline" size="lg" busy={isSending} onClick={props.onCancel}>
              Cancel
            </Button>
            <Button ref={submit} type="submit" size="lg" busy={isSending} disabled={images.isWorking}>
              {isSending ? <Spinner /> : null}
              {isSending ? busyLabel : submitLabel}
            </Button>
          </div>
        </div>
      </form>
      <UnsavedGuard isDirty={isUnsaved} isForgotten={isForgotten} text={isSending ? sendingText : unsavedText} />
    </FormProvider>
  );
};

export const FormSection = ({ title, text, children }: { title: string; text?: string; children: ReactNode }) => (
  <section className="grid grid-cols-1 gap-5">
    <header className="grid gap-1">
      <h2 className="card-heading">{title}</h2>
      {text ? <p className="text-sm text-muted-foreground">{text}</p> : null}
    </header>
    {children}
  </section>
);
