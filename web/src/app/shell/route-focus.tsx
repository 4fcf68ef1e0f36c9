import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { announce } from '../../lib/announcer.tsx';

const focus = (element: HTMLElement | null): void => {
  if (!element) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
};

/** Focuses the page's heading and says its title; where data is still on its way, as soon as the heading is there. */
const greet = (main: HTMLElement): (() => void) => {
  let frame = 0;
  const findHeading = (): boolean => {
    const heading = main.querySelector<HTMLElement>('h1');
    if (!heading) return false;
    focus(heading);
    // The page's own effects, which set the title, have run by the next frame.
    frame = requestAnimationFrame(() => announce(document.title));
    return true;
  };
  const observer = new MutationObserver(() => {
    // Whoever has moved on meanwhile is not called back.
    if (document.activeElement !== main || findHeading()) observer.disconnect();
  });
  if (!findHeading()) {
    focus(main);
    observer.observe(main, { childList: true, subtree: true });
  }
  return () => {
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
};

/** After a change of page, does what a page load would have done: the focus and the title are the new page's. */
export const RouteFocus = () => {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    const main = document.getElementById('main');
    if (shown.current === pathname || !main) return;
    shown.current = pathname;
    return greet(main);
  }, [pathname]);
  return null;
};
