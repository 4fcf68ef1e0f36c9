import { useEffect } from 'react';

/**
 * Tells the styles which part of the window a keyboard on the screen leaves visible. Browsers shrink the visual viewport
 * for it, and neither the window nor `dvh`.
 */
export const useVisibleWindow = (): void => {
  useEffect(() => {
    const { visualViewport: visible } = window;
    if (!visible) return;
    const { style } = document.documentElement;
    const update = () => {
      // Zoomed in, a person looks at a part of what is there.
      const isZoomed = visible.scale > 1.01;
      style.setProperty('--window-height', isZoomed ? null : `${visible.height}px`);
      style.setProperty('--window-top', isZoomed ? null : `${visible.offsetTop}px`);
    };
    update();
    visible.addEventListener('resize', update);
    visible.addEventListener('scroll', update);
    return () => {
      visible.removeEventListener('resize', update);
      visible.removeEventListener('scroll', update);
      style.removeProperty('--window-height');
      style.removeProperty('--window-top');
    };
  }, []);
};
