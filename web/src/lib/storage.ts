import { useSyncExternalStore } from 'react';

// Storage may be disabled or full (private windows, blocked cookies): then nothing is kept and nothing fails.
type Area = 'localStorage' | 'sessionStorage';
const CHANGED = 'stored-value-changed';

/** Reads a value; null when there is none or storage is unavailable. */
export const readStored = (area: Area, key: string): string | null => {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
};

/** The key under which a form keeps unsent text in the tab. Each user has their own: another may sign in afterwards. */
export const draftKey = (userId: string, form: string): string => `draft:${userId}:${form}`;

/** Removes all unsent text. */
export const forgetDrafts = (): void => {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith('draft:')) sessionStorage.removeItem(key);
  } catch {
    // Nothing is kept: see above.
  }
};

/** Stores a value, or removes the key when the value is null. */
export const writeStored = (area: Area, key: string, value: string | null): void => {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Not kept: see above.
  }
  window.dispatchEvent(new Event(CHANGED));
};

const subscribe = (onChange: () => void) => {
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
};

/** A stored value that re-renders when this tab writes it, and how to read it now. */
export const useStored = (area: Area, key: string) => {
  const read = () => readStored(area, key);
  return { value: useSyncExternalStore(subscribe, read, () => null), read };
};
