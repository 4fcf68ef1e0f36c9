import { useLayoutEffect, useRef } from 'react';

/**
 * For a region whose parts come and go: when the part with the focus is gone, the region itself gets it, or whoever uses
 * the keyboard began anew at the page's top. Spread what it answers on an element that can be focused.
 */
export const useFocusFallback = <T extends HTMLElement>() => {
  const region = useRef<T>(null);
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    region.current?.focus();
  });
  return {
    ref: region,
    onFocus: () => {
      isInside.current = true;
    },
    // Not called for what is taken away: React hears no events while it does that.
    onBlur: () => {
      isInside.current = false;
    },
  };
};
