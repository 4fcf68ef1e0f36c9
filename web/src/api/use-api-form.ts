import { type BaseSyntheticEvent, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, useForm } from 'react-hook-form';
import { readStored, writeStored } from '../lib/storage.ts';
import { ApiError, createKey } from './client.ts';
import { createResolver, type FormSchema } from './form-schema.ts';

/** The unsaved values of a form, stored for this tab. */
interface Draft<Values> {
  values: Values;
  /** Sent with the POST of these values, so that a retry, also after a reload, does not post twice. */
  idempotencyKey: string;
  version: string | undefined;
}

type SentDraft = Omit<Draft<unknown>, 'values'>;

interface ApiFormOptions<Values extends FieldValues> extends FormSchema<Values> {
  /** The saved values: what the form contains without changes. */
  saved: Values;
  version?: string | undefined;
  /** Sent with the values but not form fields, such as the choice to post to X. A change requires a new idempotency key. */
  attachments?: readonly unknown[];
  /**
   * The storage key of the draft (see `draftKey`), and when it is first stored: when the user types, or only when the
   * form is sent.
   */
  draft?: { key: string; since: 'typed' | 'sent' };
}

interface Submission<Values, Sent> {
  send: (values: Values, draft: SentDraft) => Promise<Sent>;
  /** The form stays disabled after a success, because it is usually left. `restart` enables it again. */
  onSent: (sent: Sent, form: { isLeft: boolean }) => void;
  onRefused: (error: unknown, form: { isLeft: boolean }) => void;
  onInvalid?: (errors: FieldErrors<FieldValues>) => void;
}

/** Requests in flight, by draft key. They continue after the form unmounts. */
const inFlight = new Map<string, Promise<unknown>>();

/** Resolves when no form is sending the draft with this key. */
export const waitUntilSent = async (draftKey: string): Promise<void> => {
  await inFlight.get(draftKey)?.catch(() => {});
};

const readDraft = <Values>(key: string, saved: Values): Draft<Values> | undefined => {
  try {
    const draft = JSON.parse(readStored('sessionStorage', key) ?? 'null');
    return draft && { ...draft, values: { ...saved, ...draft.values } };
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** In a record of values, a missing one equals an empty one. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  isRecord(one) && isRecord(other)
    ? Object.keys({ ...one, ...other }).every((key) => (one[key] ?? '') === (other[key] ?? ''))
    : one === other;

const isSame = <Values extends FieldValues>(one: Values, other: Values): boolean =>
  Object.keys(one).every((name) => isSameValue(one[name], other[name]));

/**
 * A form that sends the body of an endpoint. It validates the values with the contract's schema, shows the server's
 * errors at their fields, focuses the first invalid field, and keeps a draft. While `isSending`, render the fields in a
 * disabled fieldset.
 */
export const useApiForm = <Values extends FieldValues>(options: ApiFormOptions<Values>) => {
  const { key: draftKey, since } = options.draft ?? {};
  const [saved, setSaved] = useState(options.saved);
  const [restored] = useState(() => {
    const draft = draftKey === undefined ? undefined : readDraft(draftKey, saved);
    return draft && !isSame(saved, draft.values) ? draft : undefined;
  });
  const form = useForm<Values>({
    defaultValues: (restored?.values ?? saved) as DefaultValues<Values>,
    resolver: createResolver(options),
  });
  // formState is a proxy: React Hook Form computes only the properties that are read during render.
  const { isDirty } = form.formState;
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [isRestored, setRestored] = useState(restored !== undefined);
  const submitRef = useRef<HTMLButtonElement>(null);
  const sentDraftRef = useRef<SentDraft>({
    idempotencyKey: restored?.idempotencyKey ?? createKey(),
    version: restored ? restored.version : options.version,
  });
  const { attachments = [] } = options;
  // The attachments of the last submission. The first submission keeps the key of a restored draft.
  const attachmentsRef = useRef<readonly unknown[]>(undefined);
  const valuesRef = useRef<Values>(restored?.values ?? saved);
  const isMountedRef = useRef(false);
  const isSentRef = useRef(false);
  const isSubmittingRef = useRef(false);
  const [refusals, setRefusals] = useState(0);

  const writeDraft = (values: unknown) =>
    draftKey &&
    writeStored('sessionStorage', draftKey, values ? JSON.stringify({ values, ...sentDraftRef.current }) : null);

  const renewKey = () => {
    sentDraftRef.current = { ...sentDraftRef.current, idempotencyKey: createKey() };
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is used for one draft
  useEffect(() => {
    isMountedRef.current = true;
    if (since === 'sent') writeDraft(null);
    const { unsubscribe } = form.watch((values) => {
      if (isSame(valuesRef.current, values as Values)) return;
      valuesRef.current = { ...(values as Values) };
      isSentRef.current = false;
      renewKey();
      if (since === 'typed') writeDraft(values);
    });
    return () => {
      isMountedRef.current = false;
      unsubscribe();
    };
  }, [draftKey]);

  // Runs after the fields are enabled again. Does nothing if the user has moved the focus away from the button.
  useEffect(() => {
    const button = submitRef.current;
    if (refusals > 0 && document.activeElement === button)
      button?.form?.querySelector<HTMLElement>('[aria-invalid=true], [data-error]')?.focus();
  }, [refusals]);

  // Starting over takes the focused button away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once the button is gone
  useEffect(() => {
    const [first = ''] = Object.keys(saved);
    if (restored && !isRestored) submitRef.current?.form?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }, [isRestored]);

  const sendDraft = async <Sent>(work: () => Promise<Sent>): Promise<Sent> => {
    if (!draftKey) return work();
    const draft = readStored('sessionStorage', draftKey);
    const request = work();
    inFlight.set(draftKey, request);
    try {
      const sent = await request;
      // Another form may have stored a new draft meanwhile.
      if (readStored('sessionStorage', draftKey) === draft) writeDraft(null);
      return sent;
    } catch (error) {
      // The mounted form still holds the values, so the draft is not needed.
      if (since === 'sent' && isMountedRef.current) writeDraft(null);
      throw error;
    } finally {
      if (inFlight.get(draftKey) === request) inFlight.delete(draftKey);
    }
  };

  const showErrors = (error: unknown) => {
    const fields = Object.entries((error instanceof ApiError && error.reply?.fields) || {});
    for (const [field, message] of fields)
      if ((field.split('.')[0] ?? '') in saved) form.setError(field as Path<Values>, { message });
  };

  const isUnsaved = () => !isSame(saved, form.getValues());

  const createSubmit = <Sent>({ send, onSent, onRefused, onInvalid }: Submission<Values, Sent>) => {
    const submit = form.handleSubmit(async (values) => {
      // Disabling a field removes its focus.
      submitRef.current?.focus();
      setSending(true);
      setFailure(undefined);
      const last = attachmentsRef.current;
      if (last && attachments.some((part, index) => part !== last[index])) renewKey();
      attachmentsRef.current = attachments;
      if (draftKey) writeDraft(values);
      try {
        const sent = await sendDraft(() => send(values, sentDraftRef.current));
        isSentRef.current = true;
        onSent(sent, { isLeft: !isMountedRef.current });
      } catch (error) {
        if (error instanceof ApiError && error.reply?.code === 'idempotency_key_reused') renewKey();
        showErrors(error);
        setSending(false);
        setRefusals((count) => count + 1);
        onRefused(error, { isLeft: !isMountedRef.current });
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

  const restart = (values: Values, version?: string) => {
    setSaved(values);
    form.reset(values);
    sentDraftRef.current = { idempotencyKey: createKey(), version };
    writeDraft(null);
    setSending(false);
  };

  return {
    form,
    submitRef,
    isSending,
    /** Why the form was refused, until it is sent again. Set by `onRefused` of the forms that show it. */
    failure,
    setFailure,
    createSubmit,
    /** Whether the form opened with the draft of an earlier visit, until `startOver`. */
    isRestored,
    isSent: () => isSentRef.current,
    /**
     * Whether leaving the form loses values: they differ from the saved values, and the draft that the form opened with
     * does not contain them.
     */
    isChanged: () => isUnsaved() && (isDirty || (restored !== undefined && since === 'sent')),
    isUnsaved,
    restart,
    /** Throws the draft away. */
    startOver: () => {
      restart(saved, options.version);
      setRestored(false);
    },
    setVersion: (version: string | undefined) => {
      sentDraftRef.current = { ...sentDraftRef.current, version };
    },
  };
};
