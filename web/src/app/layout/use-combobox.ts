import { type RefObject, useEffect, useRef, useState } from 'react';

interface Combobox {
  isOpen: boolean;
  /** Index of the option that Enter selects; -1 for none. */
  active: number;
  setActive: (index: number) => void;
  close: () => void;
}

/** Up and Down move through the options and the field itself, and wrap around. */
const step = (active: number, by: 1 | -1, count: number): number => ((active + 1 + by + count + 1) % (count + 1)) - 1;

/**
 * Turns an existing text field into a combobox of the ARIA Authoring Practices (list autocomplete, manual selection).
 * The focus stays in the field, whose ARIA attributes expose the open list and the active option. `choose` receives the
 * index of the selected option.
 */
export const useCombobox = (
  field: RefObject<HTMLInputElement | null>,
  text: string,
  count: number,
  choose: (index: number) => void,
): Combobox => {
  // The user may have left the field before this code loaded.
  const [isAsked, setAsked] = useState(() => document.activeElement === field.current);
  const [active, setActive] = useState(-1);
  const isOpen = isAsked && count > 0 && text.trim() !== '';

  const close = () => {
    setAsked(false);
    setActive(-1);
  };
  const reopen = () => {
    setAsked(true);
    setActive(-1);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
    if (by && count > 0) {
      setAsked(true);
      setActive(step(active, by, count));
    } else if (event.key === 'Enter' && isOpen && active >= 0) choose(active);
    // Keeps the typed text: only a second Escape clears the field, which the browser does.
    else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  };

  const latest = useRef({ reopen, handleKey, close });
  useEffect(() => {
    latest.current = { reopen, handleKey, close };
  });
  useEffect(() => {
    const input = field.current;
    if (!input) return;
    const gone = new AbortController();
    const { signal } = gone;
    input.addEventListener('input', () => latest.current.reopen(), { signal });
    input.addEventListener('keydown', (event) => latest.current.handleKey(event), { signal });
    input.addEventListener('blur', () => latest.current.close(), { signal });
    input.form?.addEventListener('submit', () => latest.current.close(), { signal });
    return () => gone.abort();
  }, [field]);
  return { isOpen, active: Math.min(active, count - 1), setActive, close };
};
