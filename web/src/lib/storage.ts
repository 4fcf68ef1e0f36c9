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

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

// The prefix removes it with all drafts when the session ends.
const KEY = 'draft:typed-text';
const NOT_STORED = '[type=password], [type=file], [type=hidden], [type=checkbox], [type=radio]';
const FIELDS = `#main :is(input:not(${NOT_STORED}), textarea, select)`;
/** Time limit in milliseconds for the fields of a page that first loads data. */
const WAIT_MS = 10_000;

const getFields = (): Field[] => [...document.querySelectorAll<Field>(FIELDS)];

/** Stores the text in the page's fields for the next load of the same URL in this tab. */
export const saveTypedText = (): void => {
  const values = getFields().map(({ value }) => value);
  writeStored('sessionStorage', KEY, JSON.stringify({ href: location.href, values }));
};

/** React notices a value set by a script only through the prototype's setter and an event. */
const setValue = (field: Field, value = ''): void => {
  if (field.value === value) return;
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
};

/** Restores stored text as soon as the page has all the fields. */
export const restoreTypedText = (): void => {
  const stored = readStored('sessionStorage', KEY);
  if (!stored) return;
  writeStored('sessionStorage', KEY, null);
  const { href, values } = JSON.parse(stored) as { href: string; values: string[] };
  if (href !== location.href) return;
  const restore = (): void => {
    const fields = getFields();
    if (fields.length < values.length) return;
    observer.disconnect();
    for (const [index, field] of fields.entries()) setValue(field, values[index]);
  };
  const observer = new MutationObserver(restore);
  observer.observe(document.body, { childList: true, subtree: true });
  setTimeout(() => observer.disconnect(), WAIT_MS);
  restore();
};
