import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 80;

/** Keeps a scrolling box at its end while it grows, unless its reader has scrolled up: then it tells of what is new. */
export const useStickToBottom = (length: number) => {
  const box = useRef<HTMLDivElement>(null);
  const wasNearEnd = useRef(true);
  const isLoadingEarlier = useRef(false);
  const [hasUnseen, setUnseen] = useState(false);

  const scrollToEnd = () => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
    setUnseen(false);
  };

  useEffect(() => {
    const element = box.current;
    const handleScroll = () => {
      if (!element) return;
      wasNearEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (wasNearEnd.current) setUnseen(false);
    };
    element?.addEventListener('scroll', handleScroll, { passive: true });
    return () => element?.removeEventListener('scroll', handleScroll);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the box has grown
  useLayoutEffect(() => {
    if (isLoadingEarlier.current) return;
    if (wasNearEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
    else setUnseen(true);
  }, [length]);

  /** Puts earlier content in front without moving what is being read. */
  const keepPlace = async (load: () => Promise<void>) => {
    const element = box.current;
    const fromEnd = element ? element.scrollHeight - element.scrollTop : 0;
    isLoadingEarlier.current = true;
    try {
      await load();
      requestAnimationFrame(() => element?.scrollTo({ top: element.scrollHeight - fromEnd }));
    } finally {
      isLoadingEarlier.current = false;
    }
  };

  return { box, hasUnseen, scrollToEnd, keepPlace };
};
