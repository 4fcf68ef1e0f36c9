import { useRef } from 'react';

/**
 * Handlers for Radix dialogs without a trigger of their own (all of ours: they open by state, many load first). Radix
 * gives the focus back to its trigger only, so these remember who had it; where that is gone, the page's content gets it.
 */
export const useReturnFocus = () => {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement as HTMLElement | null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (opener.current?.isConnected) opener.current.focus();
      // A page that took its dialog along has given the focus to the next one's heading.
      else if (document.activeElement === document.body)
        document.getElementById('main')?.focus({ preventScroll: true });
    },
  };
};
