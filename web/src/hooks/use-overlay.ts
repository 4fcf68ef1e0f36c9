import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { closeOnBack } from '../lib/overlay-history.ts';

const LAYERS = '[data-escape][data-state=open]';
const TOAST = '[data-slot=toast][data-state=open]';

/**
 * Closes the topmost open dialog or menu on Escape. Radix alone would close a toast, which opened last, and would give the
 * key to a layer that is just closing. Spread the result on the overlay's content.
 */
export const useEscapeLayer = <T extends HTMLElement>(close: () => void) => {
  const contentRef = useRef<T>(null);
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      if (document.activeElement?.closest(TOAST)) return;
      if (!contentRef.current || [...document.querySelectorAll(LAYERS)].at(-1) !== contentRef.current) return;
      event.stopImmediatePropagation();
      event.preventDefault();
      closeNow();
    };
    // A capturing listener on the window runs before Radix's listener on the document.
    window.addEventListener('keydown', handleKey, { capture: true });
    return () => window.removeEventListener('keydown', handleKey, { capture: true });
  }, []);
  return { ref: contentRef, 'data-escape': true };
};

/** While the overlay is open, Back closes it and stays on the page. */
export const useCloseOnBack = (open: boolean, close: () => void): void => {
  const closeNow = useEffectEvent(close);
  // before anybody sees the overlay: Back may be pressed at once
  useLayoutEffect(() => (open ? closeOnBack(() => closeNow()) : undefined), [open]);
};

const isConnected = (element: HTMLElement | null): element is HTMLElement =>
  element !== null && element !== document.body && element.isConnected;

/**
 * Handlers for Radix dialogs that open by state, without a trigger. Radix returns the focus only to a trigger, so these
 * handlers remember the focused element. If it no longer exists, they focus the page's content.
 */
export const useReturnFocus = () => {
  const openerRef = useRef<HTMLElement | null>(null);
  const stopRef = useRef<() => void>(undefined);
  return {
    onOpenAutoFocus: ({ currentTarget }: Event) => {
      openerRef.current = document.activeElement as HTMLElement | null;
      // A menu or drawer that opened this dialog closes meanwhile and returns the focus to its own button. Radix takes
      // the focus back before the button receives a focus event: only the focusout event names the button.
      const handleFocusOut = ({ relatedTarget: next }: FocusEvent) => {
        const isOutside = next instanceof HTMLElement && !(currentTarget as Element).contains(next);
        if (isOutside && !isConnected(openerRef.current)) openerRef.current = next;
      };
      document.addEventListener('focusout', handleFocusOut);
      stopRef.current = () => document.removeEventListener('focusout', handleFocusOut);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      stopRef.current?.();
      // the page stays where it was: the opener of a large one may be partly out of sight
      if (isConnected(openerRef.current)) openerRef.current.focus({ preventScroll: true });
      // After a navigation, the heading of the next page has the focus.
      else if (document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true });
    },
  };
};
