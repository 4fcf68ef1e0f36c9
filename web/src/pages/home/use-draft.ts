import { useEffect, useRef, useState } from 'react';
import { useEarlyInput } from '../../lib/use-early-input.ts';

const PAUSE_MS = 400;

/** A field that is applied when the typing pauses, at once with Enter; it follows the applied value when that changes. */
export const useDraft = (applied: string, apply: (value: string) => void) => {
  const [draft, setDraft] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => setDraft(applied), [applied]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const applyNow = (value: string) => {
    clearTimeout(timer.current);
    if (value.trim() !== applied) apply(value.trim());
  };
  const type = (value: string) => {
    setDraft(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => applyNow(value), PAUSE_MS);
  };
  // After the effect above, which draws what is applied.
  const ref = useEarlyInput<HTMLInputElement>(applied, type);
  return {
    field: {
      ref,
      value: draft,
      onChange: (event: { target: { value: string } }) => type(event.target.value),
      onKeyDown: (event: { key: string }) => {
        if (event.key === 'Enter') applyNow(draft);
      },
    },
    /** Forgets what was typed and not yet applied. */
    forget: () => {
      clearTimeout(timer.current);
      setDraft('');
    },
  };
};
