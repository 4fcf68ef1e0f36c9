import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { FormProvider, useFormContext } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { t } from '../../../../../contract/i18n.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import { PRICE_RULES } from '../../../../../contract/prices.ts';
import type { Category } from '../../../../../contract/stats.ts';
import { countCharacters } from '../../../../../contract/text.ts';
import { useFormValues } from '../../../api/use-form-values.ts';
import { lazyWithRetry } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/feedback.tsx';
import { Field, Input, NativeSelect, Textarea } from '../../../ui/form-controls.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { PriceInput } from '../../../ui/price-input.tsx';
import { PhotoField } from '../../photos/photo-field.tsx';
import type { AdValues } from './ad-values.ts';
import type { Question, UsedAdForm } from './use-ad-form.ts';
import { useSubmitAfterUploads } from './use-submit-after-uploads.ts';

interface AdFormProps {
  adForm: UsedAdForm;
  categories: readonly Category[];
  isEdit?: boolean;
  submitLabel: string;
  busyLabel: string;
  /** Answers a question of the server with a yes. */
  confirmLabel: string;
  messagesLabel: string;
  unsavedText: string;
  sendingText: string;
  onCancel: () => void;
  options?: ReactNode;
}

const noop = (): void => undefined;
// A disabled fieldset still accepts dropped photos.
const LOCKED = { add: noop, move: noop };

export const AdForm = ({ adForm, categories, isEdit = false, ...props }: AdFormProps) => {
  const { apiForm, photos, question } = adForm;
  const { form, submitRef, isSending, isSent } = apiForm;
  const hasOtherChanges = () => isSending || photos.isUnsent;
  const { isWaiting, handleSubmit } = useSubmitAfterUploads(apiForm, photos, adForm.handleSubmit);
  const isBusy = isSending || isWaiting;
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={handleSubmit}>
        <div className="grid grid-cols-1 gap-10">
          <fieldset disabled={isSending} className="contents">
            <FormSection title={t('photos.photos')} text={t('post.photosHint')}>
              <PhotoField photos={isSending ? { ...photos, ...LOCKED } : photos} />
            </FormSection>
            <FormSection title={t('post.details')}>
              <AdFields categories={categories} messagesLabel={props.messagesLabel} isEdit={isEdit} />
            </FormSection>
            {props.options}
          </fieldset>
          {question ? <AskAgain question={question} label={props.confirmLabel} onConfirm={adForm.confirm} /> : null}
          <div className="flex flex-col-reverse gap-3 border-t border-border pt-6 sm:flex-row sm:justify-end">
            <Button variant="outline" size="lg" busy={isSending} onClick={props.onCancel}>
              {t('shell.cancel')}
            </Button>
            <Button ref={submitRef} type="submit" size="lg" busy={isBusy}>
              {isBusy ? <Spinner /> : null}
              {isSending ? props.busyLabel : isWaiting ? t('post.uploadingPhotos') : props.submitLabel}
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

interface AskAgainProps {
  question: Question;
  label: string;
  onConfirm: () => void;
}

const AskAgain = ({ question: { message, similarAd, isOpen }, label, onConfirm }: AskAgainProps) => (
  <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-control bg-surface p-3 text-sm">
    <p>{message}</p>
    {similarAd ? (
      <Link to={similarAd} className="prose-link">
        {t('post.viewThatAd')}
      </Link>
    ) : null}
    {isOpen ? (
      <Button variant="outline" size="sm" onClick={onConfirm}>
        {label}
      </Button>
    ) : null}
  </div>
);

interface AdFieldsProps {
  categories: readonly Category[];
  messagesLabel: string;
  isEdit: boolean;
}

export const AdFields = ({ categories, messagesLabel, isEdit }: AdFieldsProps) => {
  const { register, formState, getValues, setValue } = useFormContext<AdValues>();
  const { errors } = formState;
  // A select takes no value before it has its option.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the options arrive once
  useLayoutEffect(() => setValue('category', getValues('category')), [categories.length]);
  return (
    <>
      <Field
        label={t('post.title')}
        required
        error={errors.title?.message}
        hint={<Count name="title" max={LIMITS.title} />}
      >
        <Input placeholder={t('post.titlePlaceholder')} autoComplete="off" {...register('title')} />
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <PriceField />
        <Field label={t('post.category')} required error={errors.category?.message}>
          <NativeSelect
            options={[['', t('post.chooseCategory')], ...categories.map(({ slug, name }) => [slug, name] as const)]}
            {...register('category')}
          />
        </Field>
      </div>
      {isEdit ? null : <CategoryProposal />}
      <Field
        label={t('post.description')}
        required
        error={errors.description?.message}
        hint={<Count name="description" max={LIMITS.description} />}
      >
        <Textarea rows={6} placeholder={t('post.descriptionPlaceholder')} {...register('description')} />
      </Field>
      <MoreDetails messagesLabel={messagesLabel} isOpen={isEdit} />
    </>
  );
};

/** The fields that are always open; any other field is one of "More details". */
const ALWAYS_OPEN: ReadonlySet<string> = new Set<keyof AdValues>([
  'title',
  'price',
  'category',
  'description',
  'imageUrls',
]);

// The form works without them if their code cannot be loaded.
const MoreFields = lazyWithRetry<{ messagesLabel: string }>(
  () => import('./more-fields.tsx').then((module) => module.MoreFields),
  () => null,
);

// One chooses the category oneself if its code cannot be loaded.
const CategoryProposal = lazyWithRetry(
  () => import('./category-proposal.tsx').then((module) => module.CategoryProposal),
  () => null,
);

/** What nobody has to fill in. It opens by itself for an error in it. */
const MoreDetails = ({ messagesLabel, isOpen }: { messagesLabel: string; isOpen: boolean }) => {
  const { errors } = useFormContext<AdValues>().formState;
  const detailsRef = useRef<HTMLDetailsElement>(null);
  const hasError = Object.keys(errors).some((name) => name !== 'root' && !ALWAYS_OPEN.has(name));
  useLayoutEffect(() => {
    if (detailsRef.current && hasError) detailsRef.current.open = true;
  }, [hasError]);
  return (
    <details ref={detailsRef} open={isOpen}>
      <summary className="min-h-11 cursor-pointer py-2.5 font-medium">
        {/* without the space, Arabic letters would join those after them */}
        {t('post.moreDetails')}{' '}
        <span className="ms-1 text-sm font-normal text-muted-foreground">{t('post.moreDetailsHint')}</span>
      </summary>
      <MoreFields messagesLabel={messagesLabel} />
    </details>
  );
};

const PriceField = () => {
  const form = useFormContext<AdValues>();
  const { register, formState } = form;
  const [priceType] = useFormValues(form, 'priceType');
  return (
    <Field label={t('post.price')} required error={formState.errors.price?.message}>
      <PriceInput {...register('price')} readOnly={PRICE_RULES[priceType].isFree} />
    </Field>
  );
};

const Count = ({ name, max }: { name: 'title' | 'description'; max: number }) => {
  const [value] = useFormValues(useFormContext<AdValues>(), name);
  return (
    <bdi className="tabular-nums">
      {countCharacters(value.trim())}/{max}
    </bdi>
  );
};
