import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** The state of a navigation that is after results, not after the page that they stand on. */
export const TO_RESULTS = { isAfterResults: true };

/** Brings results to the top after such a navigation, on telephones: there they begin below the edge. */
export const useToResults = () => {
  const results = useRef<HTMLElement>(null);
  const { key, state } = useLocation();
  // Whoever comes back finds the page as it was left.
  const isNew = useNavigationType() === 'PUSH';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useEffect(() => {
    if (!isNew || !state?.isAfterResults || !matchMedia('(width < 40rem)').matches) return;
    // By the next frame the header is as high as it stays: the search that led here stood in it.
    const frame = requestAnimationFrame(() => results.current?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return results;
};
