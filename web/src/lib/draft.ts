import { readStored, writeStored } from './storage.ts';

/*
 * What a person typed and has not sent, kept for this tab.
 * - Key: the person and the thing, because another person may sign in later in the same tab.
 * - Written: while the person types, or only when a form is sent.
 * - Restored: when the thing opens again.
 * - Dropped: when it is sent, emptied or thrown away, and with all others when the session changes (`deleteDrafts`).
 */

export const draftKey = (userId: string, thing: string): string => `draft:${userId}:${thing}`;

export interface Draft<T> {
  read: () => T | undefined;
  /** undefined drops it. */
  write: (value: T | undefined) => void;
}

/** Writing does not render. Without a key, nothing is kept. */
export const useDraft = <T>(key: string | undefined): Draft<T> => ({
  read: () => {
    try {
      return (key && JSON.parse(readStored('sessionStorage', key) ?? 'null')) || undefined;
    } catch {
      return undefined;
    }
  },
  write: (value) => {
    if (key) writeStored('sessionStorage', key, value === undefined ? null : JSON.stringify(value));
  },
});
