import type { FormEventHandler, ReactNode } from 'react';
import { FormProvider } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { AdFields } from './ad-fields.tsx';
import type { AdApiForm } from './ad-values.ts';
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
