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

export const forgetDrafts = (): void => {
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
  window.addEventListener(CHANGED, onChange);
  return () => window.removeEventListener(CHANGED, onChange);
};

/** A stored value that re-renders when this tab writes it, and a function that reads the current value. */
export const useStored = (area: Area, key: string) => {
  const read = () => readStored(area, key);
  return { value: useSyncExternalStore(subscribe, read, () => null), read };
};
