import { useCallback, useSyncExternalStore } from 'react';

// Storage may be disabled or full (private windows, blocked cookies). Then nothing is stored and nothing throws.
type Area = 'localStorage' | 'sessionStorage';

export const readStored = (area: Area, key: string): string | null => {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
};

/** Drops everything that `useDraft` keeps. */
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
  // The browser dispatches it in the other tabs only.
  window.dispatchEvent(new StorageEvent('storage', { key }));
};

/** Calls back when the value is written, in this tab or another one. Returns a function that ends this. */
export const watchStored = (key: string, onChange: (event: StorageEvent) => void): (() => void) => {
  const handleStorage = (event: StorageEvent) => {
    // all values were deleted, or this one was written
    if (event.key === null || event.key === key) onChange(event);
  };
  window.addEventListener('storage', handleStorage);
  return () => window.removeEventListener('storage', handleStorage);
};

/** A stored value that re-renders when it is written. */
export const useStored = (area: Area, key: string): string | null =>
  useSyncExternalStore(
    useCallback((onChange: () => void) => watchStored(key, onChange), [key]),
    () => readStored(area, key),
    () => null,
  );

export type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

// The prefix removes it with all drafts when the session ends.
export const TYPED_TEXT = 'draft:typed-text';
const FIELDS = '#main :is(input:not([type=password], [type=file]), textarea, select)';
export const getFields = (): Field[] => [...document.querySelectorAll<Field>(FIELDS)];

/** Stores the text in the page's fields for the next load of the same URL in this tab. */
export const saveTypedText = (): void => {
  const values = getFields().map(({ value }) => value);
  writeStored('sessionStorage', TYPED_TEXT, JSON.stringify({ href: location.href, values }));
};
