import { type RefObject, useEffect, useRef } from 'react';

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
