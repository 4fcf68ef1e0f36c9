import { useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useDraft } from '../lib/draft.ts';
import { createKey } from './client.ts';

/** What the server needs with the values. */
export interface Sending {
  /** A retry of the same values, also after a reload, does not post twice. */
  idempotencyKey: string;
  version: string | undefined;
}

interface FormDraft<Values> extends Sending {
  values: Values;
}

export interface FormDraftOptions<Values> {
  /** The saved values: what the form contains without changes. */
  saved: Values;
  version?: string | undefined;
  /** Sent with the values but not form fields, such as the choice to post to X. A change requires a new idempotency key. */
  attachments?: readonly unknown[];
  /**
   * The key of the draft (see `draftKey`), and when it is first stored: when the user types, or only when the form is
   * sent.
   */
  draft?: { key: string; since: 'typed' | 'sent' };
}

/** Requests in flight, by draft key. They continue after the form unmounts. */
const inFlight = new Map<string, Promise<unknown>>();

/** Resolves when no form is sending the draft with this key. */
export const waitUntilSent = async (draftKey: string): Promise<void> => {
  await inFlight.get(draftKey)?.catch(() => {});
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** In a record of values, a missing one equals an empty one. */
const isSameValue = (one: unknown, other: unknown): boolean =>
  isRecord(one) && isRecord(other)
    ? Object.keys({ ...one, ...other }).every((key) => (one[key] ?? '') === (other[key] ?? ''))
    : one === other;

export const isSame = <Values extends FieldValues>(one: Values, other: Values): boolean =>
  Object.keys(one).every((name) => isSameValue(one[name], other[name]));

/** Keeps the values of a form that are not saved yet, with the key and version that they are sent with. */
export const useFormDraft = <Values extends FieldValues>({
  saved,
  version,
  attachments = [],
  draft: { key, since } = { key: '', since: 'typed' },
}: FormDraftOptions<Values>) => {
  const draft = useDraft<FormDraft<Values>>(key);
  const [restored] = useState(() => {
    const kept = draft.read();
    const values = { ...saved, ...kept?.values };
    return kept && !isSame(saved, values) ? { ...kept, values } : undefined;
  });
  const sendingRef = useRef<Sending>({
    idempotencyKey: restored?.idempotencyKey ?? createKey(),
    version: restored ? restored.version : version,
  });
  const valuesRef = useRef<Values>(restored?.values ?? saved);
  // The attachments of the last submission. The first submission keeps the key of a restored draft.
  const attachmentsRef = useRef<readonly unknown[]>(undefined);

  const write = (values: Values) => draft.write({ values, ...sendingRef.current });
  const change = (part: Partial<Sending>) => {
    sendingRef.current = { ...sendingRef.current, ...part };
  };
  const renewKey = () => change({ idempotencyKey: createKey() });

  return {
    restored: restored?.values,
    /** The form shows what a draft that is stored only while it is sent contains. */
    handleOpen: () => {
      if (since === 'sent') draft.write(undefined);
    },
    /** Returns whether the values differ from the last ones. */
    handleChange: (values: Values): boolean => {
      if (isSame(valuesRef.current, values)) return false;
      valuesRef.current = { ...values };
      renewKey();
      if (since === 'typed') write(values);
      return true;
    },
    /** Keeps the values until they are sent. `isOpen`: whether the form still holds them. */
    send: async <Sent>(
      values: Values,
      work: (sending: Sending) => Promise<Sent>,
      isOpen: () => boolean,
    ): Promise<Sent> => {
      const last = attachmentsRef.current;
      if (last && attachments.some((part, index) => part !== last[index])) renewKey();
      attachmentsRef.current = attachments;
      write(values);
      const kept = JSON.stringify(draft.read());
      const request = work(sendingRef.current);
      if (key) inFlight.set(key, request);
      try {
        const sent = await request;
        // Another form may have stored a new draft meanwhile.
        if (JSON.stringify(draft.read()) === kept) draft.write(undefined);
        return sent;
      } catch (error) {
        if (since === 'sent' && isOpen()) draft.write(undefined);
        throw error;
      } finally {
        if (inFlight.get(key) === request) inFlight.delete(key);
      }
    },
    renewKey,
    setVersion: (next: string | undefined) => change({ version: next }),
    /** Throws the draft away. */
    drop: (next: string | undefined) => {
      sendingRef.current = { idempotencyKey: createKey(), version: next };
      draft.write(undefined);
    },
  };
};
