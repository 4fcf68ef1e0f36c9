import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';

const subscribe = () => () => {};

/**
 * False on the server and during hydration, true afterwards. Code that depends on the browser's time zone, URL hash or
 * storage must wait for it, so that server and browser render the same HTML.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );

/**
 * The ref of a field that the server rendered with the value `rendered`. React misses a value that the user entered
 * before hydration: `onValue` receives it once, after hydration.
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
