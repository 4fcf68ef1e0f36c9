import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { announce } from '../../lib/announcer.tsx';

/** After a change of page, moves the focus to its heading and says its title: what a page load would have done. */
export const RouteFocus = () => {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    const target = document.querySelector<HTMLElement>('main h1') ?? document.getElementById('main');
    if (target) {
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
    }
    // The page's own effects, which set the title, have run by the next frame.
    const frame = requestAnimationFrame(() => announce(document.title));
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
  return null;
};
