import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type Rating, replyToRating } from '../../../../contract/ratings.ts';
import { getErrorMessage, hasStatus } from '../../api/client.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFormValues } from '../../api/use-form-values.ts';
import { draftKey } from '../../lib/draft.ts';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { Dialog } from '../../ui/lazy-overlays.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';
import { RatingView } from './rating-view.tsx';

interface ReplyDialogProps {
  rating: Rating;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Replies to a rating of oneself. */
export const ReplyDialog = ({ rating, open, onOpenChange }: ReplyDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onOpenChange}
    title={t('deals.replyTitle', { name: rating.rater.displayName })}
    description={t('deals.replyText')}
  >
    <div className="rounded-control bg-muted p-3">
      <RatingView rating={rating} />
    </div>
    <ReplyForm rating={rating} onClose={() => onOpenChange(false)} />
  </Dialog>
);

const ReplyForm = ({ rating: { id }, onClose }: { rating: Rating; onClose: () => void }) => {
  const toast = useToast();
  const { user } = useSession();
  const send = useApiMutation(replyToRating);
  const invalidate = useInvalidateQueries();
  const apiForm = useApiForm({
    endpoint: replyToRating,
    saved: { text: '' },
    draft: { key: draftKey(user?.id ?? '', `rating-reply:${id}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const [text] = useFormValues(form, 'text');
  const room = useCharacterCount(text, LIMITS.rating);

  const handleSubmit = apiForm.createSubmit({
    send: (body) => send({ params: { id }, body }),
    onSent: () => {
      onClose();
      toast({ title: t('deals.replyPublic') });
    },
    onRefused: (error) => {
      const message = getErrorMessage(error, t('deals.replyFailed'));
      if (!hasStatus(error, 409) && !hasStatus(error, 404)) return apiForm.setFailure(message);
      // The list behind the dialog shows what the rating is now.
      onClose();
      toast.error(message);
      void invalidate(...replyToRating.invalidates);
    },
  });

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-4">
      <Field label={t('deals.yourReply')} required error={form.formState.errors.text?.message} {...room.field}>
        <Textarea rows={3} disabled={isSending} className="max-h-48" {...form.register('text')} />
      </Field>
      <DialogFormFooter form={apiForm} onCancel={onClose}>
        {t('deals.sendReply')}
      </DialogFormFooter>
    </form>
  );
};
