import { useEffect } from 'react';

const INTERACTIONS = ['pointerdown', 'pointermove', 'keydown', 'scroll'];

/** Calls `act` once, at the first interaction with the page: to load code that is needed from then on. */
export const useFirstInteraction = (act: () => void): void =>
  useEffect(() => {
    const controller = new AbortController();
    const handleFirst = () => {
      controller.abort();
      act();
    };
    for (const name of INTERACTIONS)
      window.addEventListener(name, handleFirst, { signal: controller.signal, passive: true });
    return () => controller.abort();
  }, [act]);
