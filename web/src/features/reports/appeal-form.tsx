import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { LIMITS } from '../../../../contract/limits.ts';
import { appealBan, appealDecision, type Decision } from '../../../../contract/reports.ts';
import { getErrorMessage, hasStatus } from '../../api/client.ts';
import { useApiMutation, useInvalidateQueries } from '../../api/query.ts';
import { useApiForm } from '../../api/use-api-form.ts';
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
  const { text } = useWatch({ control: form.control });
  const room = useCharacterCount(text ?? '', LIMITS.appeal);
  useEffect(() => form.setFocus('text'), [form]);

  const handleSubmit = apiForm.createSubmit({
    send: (body) =>
      token === undefined ? appeal({ params: { id: decision.id }, body }) : appealByLink({ body: { ...body, token } }),
    onSent: () => {
      onClose();
      toast({ title: 'Appeal sent', description: 'You are notified when it is decided.' });
    },
    onRefused: (error) => {
      apiForm.setFailure(getErrorMessage(error, 'Your appeal could not be sent. Please try again.'));
      // It was appealed in another tab, or the decision was reversed: the card then shows it.
      if (hasStatus(error, 409)) void invalidate('decisions');
    },
  });

  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-3">
      <Field label="Why is the decision wrong?" required error={form.formState.errors.text?.message} {...room.field}>
        <Textarea rows={4} disabled={isSending} className="max-h-80" {...form.register('text')} />
      </Field>
      <p className="text-sm text-muted-foreground">You can appeal only once. You cannot change your text later.</p>
      <DialogFormFooter form={apiForm} onCancel={onClose} className="sm:justify-start">
        Send Appeal
      </DialogFormFooter>
    </form>
  );
};
