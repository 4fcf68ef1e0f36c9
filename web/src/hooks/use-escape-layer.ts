import { useEffect, useRef } from 'react';

/** What Escape closes: each over what was opened before it, as the page holds them. */
const LAYERS = '[data-escape][data-state=open]';
const TOAST = '[data-slot=toast][data-state=open]';

/**
 * For a dialog or menu of Radix, which gives Escape to whatever came last, a toast too: while one is shown, the topmost of
 * these closes first. Spread what it answers on the content.
 */
export const useEscapeLayer = <T extends HTMLElement>(close: () => void) => {
  const content = useRef<T>(null);
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const toast = event.key === 'Escape' && document.querySelector(TOAST);
      if (!toast || toast.contains(document.activeElement)) return;
      if (!content.current || [...document.querySelectorAll(LAYERS)].at(-1) !== content.current) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      latest.current();
    };
    // Before Radix, which listens on the document.
    window.addEventListener('keydown', handleKey, { capture: true });
    return () => window.removeEventListener('keydown', handleKey, { capture: true });
  }, []);
  return { ref: content, 'data-escape': true };
};
