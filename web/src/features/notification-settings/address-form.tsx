import { useEffect } from 'react';
import { setMyEmail } from '../../../../contract/email.ts';
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
      if (pending) toast({ title: 'Link sent', description: `Look into the inbox of ${pending.address}.` });
      apiForm.restart({ email: '' });
      onClose?.();
    },
    onRefused: (error) => apiForm.setFailure(getErrorMessage(error, 'The link could not be sent. Please try again.')),
  });

  const handleUseX = async () => {
    if (xAddress === null) return;
    const isDone = await run(() => setEmail({ body: { email: xAddress } }), 'Nothing was changed. Please try again.');
    if (isDone) onClose?.();
  };

  const problem = form.formState.errors.email?.message;
  return (
    <form noValidate onSubmit={handleSubmit} className="grid gap-3">
      <Field label="E-mail address" required error={problem}>
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
          {isSending ? <Spinner /> : null} Send Link
        </Button>
        {xAddress ? (
          <Button variant="outline" size="sm" busy={isBusy} onClick={() => void handleUseX()} className="wrap-anywhere">
            Use {xAddress} of your X account
          </Button>
        ) : null}
        {onClose ? (
          <Button variant="outline" size="sm" onClick={onClose}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
};
