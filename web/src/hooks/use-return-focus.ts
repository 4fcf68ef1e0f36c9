import { useRef } from 'react';

const isThere = (element: HTMLElement | null): element is HTMLElement =>
  element !== null && element !== document.body && element.isConnected;

/**
 * Handlers for Radix dialogs without a trigger of their own (all of ours: they open by state, many load first). Radix
 * gives the focus back to its trigger only, so these remember who had it; where that is gone, the page's content gets it.
 */
export const useReturnFocus = () => {
  const opener = useRef<HTMLElement | null>(null);
  const stop = useRef<() => void>(undefined);
  return {
    onOpenAutoFocus: ({ currentTarget }: Event) => {
      opener.current = document.activeElement as HTMLElement | null;
      // A menu or drawer that this was asked from goes away meanwhile, and gives the focus to the button that opened it.
      // Radix takes it back before that button hears of it: only who loses the focus is told where it was to go.
      const handleLoss = ({ relatedTarget: next }: FocusEvent) => {
        const isOutside = next instanceof HTMLElement && !(currentTarget as Element).contains(next);
        if (isOutside && !isThere(opener.current)) opener.current = next;
      };
      document.addEventListener('focusout', handleLoss);
      stop.current = () => document.removeEventListener('focusout', handleLoss);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      stop.current?.();
      if (isThere(opener.current)) opener.current.focus();
      // A page that took its dialog along has given the focus to the next one's heading.
      else if (document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true });
    },
  };
};
