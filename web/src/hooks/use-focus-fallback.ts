import { useLayoutEffect, useRef } from 'react';

/**
 * Focuses a region when its focused child is removed. Otherwise the focus would return to the top of the page. Spread
 * the result on a focusable element.
 */
export const useFocusFallback = <T extends HTMLElement>() => {
  const regionRef = useRef<T>(null);
  const isInsideRef = useRef(false);
  useLayoutEffect(() => {
    if (!isInsideRef.current || document.activeElement !== document.body) return;
    regionRef.current?.focus();
  });
  return {
    ref: regionRef,
    onFocus: () => {
      isInsideRef.current = true;
    },
    // Not called for a removed child: React ignores events during a commit.
    onBlur: () => {
      isInsideRef.current = false;
    },
  };
};
