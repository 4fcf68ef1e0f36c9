import { useEffect } from 'react';

const ACTS = ['pointerdown', 'pointermove', 'keydown', 'scroll'];

/** Does something once, when the person first does anything on the page: what they will need is fetched, but not before. */
export const useFirstInteraction = (act: () => void): void =>
  useEffect(() => {
    const end = new AbortController();
    const first = () => {
      end.abort();
      act();
    };
    for (const name of ACTS) window.addEventListener(name, first, { signal: end.signal, passive: true });
    return () => end.abort();
  }, [act]);
