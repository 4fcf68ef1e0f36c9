import { type BaseSyntheticEvent, useEffect, useRef, useState } from 'react';
import type { FieldErrors, FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { ApiError } from './client.ts';
import type { Sending, useFormDraft } from './use-form-draft.ts';

export interface Submission<Values, Sent> {
  send: (values: Values, sending: Sending) => Promise<Sent>;
  /** The form stays disabled after a success, because it is usually left. `restart` enables it again. */
  onSent: (sent: Sent, form: { isLeft: boolean }) => void;
  onRefused: (error: unknown, form: { isLeft: boolean }) => void;
  onInvalid?: (errors: FieldErrors<FieldValues>) => void;
}

/** Sends a form once at a time, shows the server's errors at their fields and focuses the first of them. */
export const useFormSubmit = <Values extends FieldValues>(
  form: UseFormReturn<Values>,
  draft: ReturnType<typeof useFormDraft<Values>>,
  isOpen: () => boolean,
) => {
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [refusals, setRefusals] = useState(0);
  const submitRef = useRef<HTMLButtonElement>(null);
  const isSubmittingRef = useRef(false);

  // Runs after the fields are enabled again. Does nothing if the user has moved the focus away from the button.
  useEffect(() => {
    const button = submitRef.current;
    if (refusals > 0 && document.activeElement === button)
      button?.form?.querySelector<HTMLElement>('[aria-invalid=true], [data-error]')?.focus();
  }, [refusals]);

  const showErrors = (error: ApiError) => {
    for (const [field, message] of Object.entries(error.reply?.fields ?? {}))
      if ((field.split('.')[0] ?? '') in form.getValues()) form.setError(field as Path<Values>, { message });
  };

  const createSubmit = <Sent>({ send, onSent, onRefused, onInvalid }: Submission<Values, Sent>) => {
    const submit = form.handleSubmit(async (values) => {
      // Disabling a field removes its focus.
      submitRef.current?.focus();
      setSending(true);
      setFailure(undefined);
      try {
        const sent = await draft.send(values, (sending) => send(values, sending), isOpen);
        onSent(sent, { isLeft: !isOpen() });
      } catch (error) {
        if (error instanceof ApiError) {
          if (error.reply?.code === 'idempotency_key_reused') draft.renewKey();
          showErrors(error);
        }
        setSending(false);
        setRefusals((count) => count + 1);
        onRefused(error, { isLeft: !isOpen() });
      }
    }, onInvalid);
    return async (event?: BaseSyntheticEvent): Promise<void> => {
      event?.preventDefault();
      // The first click may still be checked, which may load code.
      if (isSubmittingRef.current) return;
      isSubmittingRef.current = true;
      await submit(event).finally(() => {
        isSubmittingRef.current = false;
      });
    };
  };

  return { submitRef, isSending, setSending, failure, setFailure, createSubmit };
};
