import type { Deal } from '../../../../contract/deals.ts';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { RATING_VALUES, type RatingTag, type RatingValue, rateDeal, TAGS_OF } from '../../../../contract/ratings.ts';
import { getErrorMessage, hasStatus } from '../../api/client.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFormValues } from '../../api/use-form-values.ts';
import { draftKey } from '../../lib/draft.ts';
import { formatDate } from '../../lib/format.ts';
import { ChoiceField } from '../../ui/choice-field.tsx';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';
import { RATING_LOOKS } from './rating-view.tsx';

interface RatingDialogProps {
  deal: Deal;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Rates the other person of a deal. */
export const RatingDialog = ({ deal, open, onOpenChange }: RatingDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={t('deals.rateTitle', { name: deal.other.displayName })}
    description={t(deal.role === 'seller' ? 'deals.theyBought' : 'deals.youBought', { ad: deal.ad.title })}
  >
    <RatingForm deal={deal} onClose={() => onOpenChange(false)} />
  </Dialog>
);

interface RatingFields {
  value: RatingValue | '';
  tags: RatingTag[];
  text: string;
}

const Face = ({ value }: { value: RatingValue }) => {
  const { icon: Icon } = RATING_LOOKS[value];
  return (
    <span className="grid justify-items-center gap-1 text-sm">
      <Icon className="size-8" />
      {t(`deals.value_${value}`)}
    </span>
  );
};

const EMPTY: RatingFields = { value: '', tags: [], text: '' };

const RatingForm = ({ deal, onClose }: { deal: Deal; onClose: () => void }) => {
  const { other } = deal;
  const toast = useToast();
  const { user } = useSession();
  const rate = useApiMutation(rateDeal);
  const invalidate = useInvalidateQueries();
  const apiForm = useApiForm<RatingFields>({
    endpoint: rateDeal,
    saved: EMPTY,
    draft: { key: draftKey(user?.id ?? '', `rating:${deal.id}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const { errors } = form.formState;
  const [value, text] = useFormValues(form, 'value', 'text');
  const fitting = TAGS_OF[value || 'neutral'];
  const room = useCharacterCount(text, LIMITS.rating);

  const handleSubmit = apiForm.createSubmit({
    send: ({ value, tags, text }) =>
      rate({
        params: { id: deal.id },
        body: { value: value as RatingValue, tags: tags.filter((tag) => fitting.includes(tag)), text },
      }),
    onSent: ({ isRevealed }) => {
      onClose();
      toast({
        title: t('deals.rated', { name: other.displayName }),
        description: isRevealed
          ? t('deals.bothPublic')
          : t('deals.publicWhenName', { name: other.displayName, date: formatDate(deal.endsAt) }),
      });
    },
    onRefused: (error) => {
      const message = getErrorMessage(error, t('deals.ratingFailed'));
      if (!hasStatus(error, 409) && !hasStatus(error, 404)) return apiForm.setFailure(message);
      // The list behind the dialog shows what the deal is now.
      onClose();
      toast.error(message);
      void invalidate(...rateDeal.invalidates);
    },
  });

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-4">
      <ChoiceField
        legend={t('deals.howWasIt')}
        choices={RATING_VALUES.map((value) => [value, <Face key={value} value={value} />])}
        input={form.register('value')}
        error={errors.value?.message}
        disabled={isSending}
        className="mt-1 grid grid-cols-3 gap-2"
        choiceClassName="relative min-h-11 justify-center rounded-control border border-input p-2 has-checked:border-primary has-checked:bg-accent has-checked:text-accent-foreground has-focus-visible:outline-2 has-focus-visible:outline-offset-2 [&>input]:absolute [&>input]:inset-0 [&>input]:size-full [&>input]:cursor-pointer [&>input]:opacity-0"
      />
      <ChoiceField
        legend={t('deals.whatFits')}
        type="checkbox"
        choices={fitting.map((tag) => [tag, t(`deals.tag_${tag}`)])}
        input={form.register('tags')}
        disabled={isSending}
        className="mt-1 grid grid-cols-2 gap-x-3"
        choiceClassName="min-h-10 gap-2.5 text-sm"
      />
      <Field label={t('deals.inYourWords')} error={errors.text?.message} {...room.field}>
        <Textarea rows={3} disabled={isSending} className="max-h-48" {...form.register('text')} />
      </Field>
      <p className="rounded-control bg-muted px-3 py-2 text-sm text-muted-foreground">
        {t('deals.secrecy', { date: formatDate(deal.endsAt) })}
      </p>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t('deals.sendRating')}
      </DialogFormFooter>
    </form>
  );
};
