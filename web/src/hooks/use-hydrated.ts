import { useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/**
 * False on the server and while its HTML is taken over, true ever after: what depends on the browser's time zone, address
 * or storage waits for it, so that both sides begin with the same page.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
