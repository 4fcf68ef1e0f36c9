import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import { createResolver, type FormSchema, loadSchema } from './form-schema.ts';
import { type FormDraftOptions, isSame, useFormDraft } from './use-form-draft.ts';
import { type Submission, useFormSubmit } from './use-form-submit.ts';

interface ApiFormOptions<Values extends FieldValues> extends FormSchema<Values>, FormDraftOptions<Values> {}

/**
 * A form that sends the body of an endpoint: validated by its schema (`form-schema.ts`), kept as a draft
 * (`use-form-draft.ts`), sent (`use-form-submit.ts`). While `isSending`, render the fields in a disabled fieldset.
 */
export const useApiForm = <Values extends FieldValues>(options: ApiFormOptions<Values>) => {
  const [saved, setSaved] = useState(options.saved);
  const draft = useFormDraft({ ...options, saved });
  const { restored } = draft;
  const [isRestored, setRestored] = useState(restored !== undefined);
  const form = useForm<Values>({
    defaultValues: (restored ?? saved) as DefaultValues<Values>,
    resolver: createResolver(options),
  });
  // Not formState.isDirty: the first key that is typed would then render the whole form.
  const openedRef = useRef(restored ?? saved);
  const isOpenRef = useRef(false);
  const isSentRef = useRef(false);
  const { submitRef, isSending, setSending, failure, setFailure, createSubmit } = useFormSubmit(
    form,
    draft,
    () => isOpenRef.current,
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is used for one draft
  useEffect(() => {
    isOpenRef.current = true;
    draft.handleOpen();
    void loadSchema(options.endpoint);
    const { unsubscribe } = form.watch((values) => {
      if (draft.handleChange(values as Values)) isSentRef.current = false;
    });
    return () => {
      isOpenRef.current = false;
      unsubscribe();
    };
  }, [options.draft?.key]);

  // Starting over takes the focused button away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the button is gone
  useEffect(() => {
    const [first = ''] = Object.keys(saved);
    if (restored && !isRestored) submitRef.current?.form?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }, [isRestored]);

  const isUnsaved = () => !isSame(saved, form.getValues());
  const isDirty = () => !isSame(openedRef.current, form.getValues());

  /** Not for an effect, which React may run between a change and its handler. */
  const restart = (values: Values, version?: string) => {
    openedRef.current = values;
    // at once: until it is rendered, the form knows none of its fields, and loses what a person changes
    flushSync(() => {
      setSaved(values);
      form.reset(values);
    });
    draft.drop(version);
    setSending(false);
  };

  return {
    form,
    submitRef,
    isSending,
    /** Why the form was refused, until it is sent again. Set by `onRefused` of the forms that show it. */
    failure,
    setFailure,
    createSubmit: <Sent>(submission: Submission<Values, Sent>) =>
      createSubmit<Sent>({
        ...submission,
        onSent: (sent, where) => {
          isSentRef.current = true;
          submission.onSent(sent, where);
        },
      }),
    /** Whether the form opened with the draft of an earlier visit, until `startOver`. */
    isRestored,
    isSent: () => isSentRef.current,
    /**
     * Whether leaving the form loses values: they differ from the saved values, and the draft that the form opened with
     * does not contain them.
     */
    isChanged: () => isUnsaved() && (isDirty() || (restored !== undefined && options.draft?.since === 'sent')),
    isUnsaved,
    restart,
    /** Throws the draft away. */
    startOver: () => {
      restart(saved, options.version);
      setRestored(false);
    },
    setVersion: draft.setVersion,
  };
};
