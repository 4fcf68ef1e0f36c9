import { type RefObject, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/**
 * Scrolls to the heading with this id and focuses it when the page's address names it. The browser cannot do so for a
 * section that loads after the page. Returns the ref of the heading, which needs tabIndex -1.
 */
export const useSectionLink = (id: string, isLoaded: boolean): RefObject<HTMLHeadingElement | null> => {
  const ref = useRef<HTMLHeadingElement>(null);
  const { hash } = useLocation();
  useEffect(() => {
    if (hash !== `#${id}` || !isLoaded) return;
    ref.current?.scrollIntoView();
    ref.current?.focus({ preventScroll: true });
  }, [id, hash, isLoaded]);
  return ref;
};
