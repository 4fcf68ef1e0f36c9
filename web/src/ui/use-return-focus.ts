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
      const isThere = opener.current?.isConnected;
      (isThere ? opener.current : document.getElementById('main'))?.focus();
    },
  };
};
