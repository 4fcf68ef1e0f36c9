import { type RefObject, useEffect, useRef } from 'react';

/**
 * The ref of a field that the server has drawn with `drawn` in it. What somebody put there before the page's code came
 * made no event that React could hear: it is given to `take` once, as the page comes alive.
 */
export const usePreHydrationValue = <T extends HTMLInputElement | HTMLSelectElement>(
  drawn: string,
  take: (value: string) => void,
): RefObject<T | null> => {
  const field = useRef<T>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: later, React hears everything
  useEffect(() => {
    const value = field.current?.value ?? drawn;
    if (value !== drawn) take(value);
  }, []);
  return field;
};
