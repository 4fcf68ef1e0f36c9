import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 80;

/**
 * Keeps a scrolling box at its end while it grows. If the user has scrolled up, the box stays and `hasUnseen` is set.
 */
export const useStickToBottom = (length: number) => {
  const boxRef = useRef<HTMLDivElement>(null);
  const wasNearEndRef = useRef(true);
  const isLoadingEarlierRef = useRef(false);
  const [hasUnseen, setUnseen] = useState(false);

  const scrollToEnd = () => {
    boxRef.current?.scrollTo({ top: boxRef.current.scrollHeight });
    setUnseen(false);
  };

  useEffect(() => {
    const element = boxRef.current;
    const handleScroll = () => {
      if (!element) return;
      wasNearEndRef.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (wasNearEndRef.current) setUnseen(false);
    };
    element?.addEventListener('scroll', handleScroll, { passive: true });
    return () => element?.removeEventListener('scroll', handleScroll);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the box has grown
  useLayoutEffect(() => {
    if (isLoadingEarlierRef.current) return;
    if (wasNearEndRef.current) boxRef.current?.scrollTo({ top: boxRef.current.scrollHeight });
    else setUnseen(true);
  }, [length]);

  /** Loads content above without moving the visible content. */
  const keepPlace = async (load: () => Promise<void>) => {
    const element = boxRef.current;
    const fromEnd = element ? element.scrollHeight - element.scrollTop : 0;
    isLoadingEarlierRef.current = true;
    try {
      await load();
      requestAnimationFrame(() => element?.scrollTo({ top: element.scrollHeight - fromEnd }));
    } finally {
      isLoadingEarlierRef.current = false;
    }
  };

  return { boxRef, hasUnseen, scrollToEnd, keepPlace };
};
