import { useEffect } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { appealBan, appealDecision, type Decision } from '../../../../contract/reports.ts';
import { getErrorMessage, hasStatus } from '../../api/client.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { useFormValues } from '../../api/use-form-values.ts';
import { draftKey } from '../../lib/draft.ts';
import { DialogFormFooter } from '../../ui/dialog-form-footer.tsx';
import { Field, Textarea } from '../../ui/form-controls.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { useCharacterCount } from '../../ui/use-character-count.ts';

interface AppealFormProps {
  decision: Decision;
  userId: string;
  token?: string | undefined;
  onClose: () => void;
}

export const AppealForm = ({ decision, userId, token, onClose }: AppealFormProps) => {
  const toast = useToast();
  const appeal = useApiMutation(appealDecision);
  const appealByLink = useApiMutation(appealBan);
  const invalidate = useInvalidateQueries();
  const apiForm = useApiForm({
    endpoint: appealDecision,
    saved: { text: '' },
    draft: { key: draftKey(userId, `appeal:${decision.id}`), since: 'typed' },
  });
  const { form, isSending } = apiForm;
  const [text] = useFormValues(form, 'text');
  const room = useCharacterCount(text, LIMITS.appeal);
  useEffect(() => form.setFocus('text'), [form]);

  const handleSubmit = apiForm.createSubmit({
    send: (body) =>
      token === undefined ? appeal({ params: { id: decision.id }, body }) : appealByLink({ body: { ...body, token } }),
    onSent: () => {
      onClose();
      toast({ title: t('decisions.appealSent'), description: t('decisions.appealSentText') });
    },
    onRefused: (error) => {
      apiForm.setFailure(getErrorMessage(error, t('decisions.appealFailed')));
      // It was appealed in another tab, or the decision was reversed: the card then shows it.
      if (hasStatus(error, 409)) void invalidate('decisions');
    },
  });

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-3">
      <Field label={t('decisions.appealWhy')} required error={form.formState.errors.text?.message} {...room.field}>
        <Textarea rows={4} disabled={isSending} className="max-h-80" {...form.register('text')} />
      </Field>
      <p className="text-sm text-muted-foreground">{t('decisions.appealOnce')}</p>
      <DialogFormFooter form={apiForm} onCancel={onClose} className="sm:justify-start">
        {t('decisions.appealSend')}
      </DialogFormFooter>
    </form>
  );
};
