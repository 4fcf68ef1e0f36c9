import { useSyncExternalStore } from 'react';

const WIDE = '(width >= 64rem)';

const subscribe = (onChange: () => void) => {
  const query = matchMedia(WIDE);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};

/** Whether the window is a desktop's, which shows two columns. */
export const isWide = (): boolean => matchMedia(WIDE).matches;

/** False on the server and during hydration. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, isWide, () => false);
