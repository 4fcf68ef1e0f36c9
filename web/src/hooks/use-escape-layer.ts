import { useEffect, useRef } from 'react';

const LAYERS = '[data-escape][data-state=open]';
const TOAST = '[data-slot=toast][data-state=open]';

/**
 * While a toast is visible, closes the topmost dialog or menu on Escape. Without this hook, Radix closes the toast,
 * which opened last. Spread the result on the overlay's content.
 */
export const useEscapeLayer = <T extends HTMLElement>(close: () => void) => {
  const contentRef = useRef<T>(null);
  const closeRef = useRef(close);
  useEffect(() => {
    closeRef.current = close;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const toast = event.key === 'Escape' && document.querySelector(TOAST);
      if (!toast || toast.contains(document.activeElement)) return;
      if (!contentRef.current || [...document.querySelectorAll(LAYERS)].at(-1) !== contentRef.current) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      closeRef.current();
    };
    // A capturing listener on the window runs before Radix's listener on the document.
    window.addEventListener('keydown', handleKey, { capture: true });
    return () => window.removeEventListener('keydown', handleKey, { capture: true });
  }, []);
  return { ref: contentRef, 'data-escape': true };
};
