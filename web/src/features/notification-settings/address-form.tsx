import { useEffect } from 'react';
import { setMyEmail } from '../../../../contract/email.ts';
import { t } from '../../../../contract/i18n.ts';
import { getErrorMessage } from '../../api/client.ts';
import { useApiMutation } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { useApiForm } from '../../api/use-api-form.ts';
import { draftKey } from '../../lib/draft.ts';
import { Button } from '../../ui/button.tsx';
import { DraftNotice } from '../../ui/draft-notice.tsx';
import { Spinner } from '../../ui/feedback.tsx';
import { Field, FormError, Input } from '../../ui/form-controls.tsx';
import { useToast } from '../../ui/toast/toast.tsx';

interface AddressFormProps {
  /** Can be used without a link. */
  xAddress: string | null;
  /** Closes the form of a person who has an address already. */
  onClose?: () => void;
}

export const AddressForm = ({ xAddress, onClose }: AddressFormProps) => {
  const toast = useToast();
  const setEmail = useApiMutation(setMyEmail);
  const { isBusy, run } = useAction();
  const { user } = useSession();
  const apiForm = useApiForm({
    endpoint: setMyEmail,
    saved: { email: '' },
    draft: { key: draftKey(user?.id ?? '', 'address'), since: 'typed' },
  });
  const { form, submitRef, isSending, failure } = apiForm;
  const isOpened = onClose !== undefined;
  useEffect(() => {
    if (isOpened) form.setFocus('email');
  }, [form, isOpened]);

  const handleSubmit = apiForm.createSubmit({
    send: (body) => setEmail({ body }),
    onSent: ({ pending }) => {
      if (pending)
        toast({
          title: t('notifications.linkSent'),
          description: t('notifications.lookIntoInbox', { address: pending.address }),
        });
      apiForm.restart({ email: '' });
      onClose?.();
    },
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, t('notifications.linkFailed'))),
  });

  const handleUseX = async () => {
    if (xAddress === null) return;
    const isDone = await run(() => setEmail({ body: { email: xAddress } }), t('notifications.unchanged'));
    if (isDone) onClose?.();
  };

  const problem = form.formState.errors.email?.message;
  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-3">
      <Field label={t('notifications.emailAddress')} required error={problem}>
        <Input
          type="email"
          inputMode="email"
          autoComplete="email"
          placeholder="name@example.com"
          disabled={isSending}
          {...form.register('email')}
        />
      </Field>
      <DraftNotice form={apiForm} />
      <FormError>{problem === failure ? null : failure}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button ref={submitRef} type="submit" size="sm" busy={isSending}>
          {isSending ? <Spinner /> : null} {t('notifications.sendLink')}
        </Button>
        {xAddress ? (
          <Button variant="outline" size="sm" busy={isBusy} onClick={() => void handleUseX()} className="wrap-anywhere">
            {t('notifications.useX', { address: xAddress })}
          </Button>
        ) : null}
        {onClose ? (
          <Button variant="outline" size="sm" onClick={onClose}>
            {t('shell.cancel')}
          </Button>
        ) : null}
      </div>
    </form>
  );
};
