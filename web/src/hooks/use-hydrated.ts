import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

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

/**
 * The ref of a field that the server rendered with the value `rendered`. A value that was entered before hydration caused
 * no event in React: `onValue` receives it once, after hydration.
 */
export const usePreHydrationValue = <T extends HTMLInputElement | HTMLSelectElement>(
  rendered: string,
  onValue: (value: string) => void,
): RefObject<T | null> => {
  const fieldRef = useRef<T>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once: after hydration React receives all events
  useEffect(() => {
    const value = fieldRef.current?.value ?? rendered;
    if (value !== rendered) onValue(value);
  }, []);
  return fieldRef;
};
