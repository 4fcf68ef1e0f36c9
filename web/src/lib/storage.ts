// Storage may be switched off or full (private windows, blocked cookies): then nothing is remembered and nothing fails.

/** Reads a value; null when there is none or storage is unavailable. */
export const readStored = (area: 'localStorage' | 'sessionStorage', key: string): string | null => {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
};

/**
 * The name under which a form keeps in the tab what was typed and not sent. It is the writer's alone: a session may end by
 * itself, and somebody else sign in.
 */
export const draftKey = (userId: string, form: string): string => `draft:${userId}:${form}`;

/** Forgets all that was typed and not sent. */
export const forgetDrafts = (): void => {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith('draft:')) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept: see above.
  }
};

/** Stores a value, or removes the key when the value is null. */
export const writeStored = (area: 'localStorage' | 'sessionStorage', key: string, value: string | null): void => {
  try {
    if (value === null) window[area].removeItem(key);
    else window[area].setItem(key, value);
  } catch {
    // Not remembered: see above.
  }
};
