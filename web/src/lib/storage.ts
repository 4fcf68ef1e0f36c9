import { useSyncExternalStore } from 'react';

// Storage may be disabled or full (private windows, blocked cookies). Then nothing is stored and nothing throws.
type Area = 'localStorage' | 'sessionStorage';
const CHANGED = 'stored-value-changed';

export const readStored = (area: Area, key: string): string | null => {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
};

/**
 * The storage key of a form's draft. It contains the user id, because another user may sign in later in the same tab.
 */
export const draftKey = (userId: string, form: string): string => `draft:${userId}:${form}`;

export const deleteDrafts = (): void => {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith('draft:')) sessionStorage.removeItem(key);
  } catch {
    // Storage is unavailable: see above.
  }
};

export const writeStored = (area: Area, key: string, value: string | null): void => {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Storage is unavailable: see above.
  }
  window.dispatchEvent(new Event(CHANGED));
};

const subscribe = (onChange: () => void) => {
  // The browser dispatches `storage` in the other tabs only.
  for (const name of [CHANGED, 'storage']) window.addEventListener(name, onChange);
  return () => {
    for (const name of [CHANGED, 'storage']) window.removeEventListener(name, onChange);
  };
};

/** A stored value that re-renders when it is written, and a function that reads the current value. */
export const useStored = (area: Area, key: string) => {
  const read = () => readStored(area, key);
  return { value: useSyncExternalStore(subscribe, read, () => null), read };
};

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

// The prefix removes it with all drafts when the session ends.
export const TYPED_TEXT = 'draft:typed-text';
const NOT_STORED = '[type=password], [type=file], [type=hidden], [type=checkbox], [type=radio]';
const FIELDS = `#main :is(input:not(${NOT_STORED}), textarea, select)`;
export const getFields = (): Field[] => [...document.querySelectorAll<Field>(FIELDS)];

/** Stores the text in the page's fields for the next load of the same URL in this tab. */
export const saveTypedText = (): void => {
  const values = getFields().map(({ value }) => value);
  writeStored('sessionStorage', TYPED_TEXT, JSON.stringify({ href: location.href, values }));
};
