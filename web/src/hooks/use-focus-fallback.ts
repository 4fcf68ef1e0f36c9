import { useLayoutEffect, useRef } from 'react';

/**
 * For a region whose parts come and go: when the focused part is removed, the region gets the focus. Otherwise the focus
 * would return to the top of the page. Spread the result on a focusable element.
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
    // Not called for a removed part: React ignores events while it commits.
    onBlur: () => {
      isInsideRef.current = false;
    },
  };
};
