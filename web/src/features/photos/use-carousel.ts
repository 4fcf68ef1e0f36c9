import { type UIEvent, useCallback, useRef, useState } from 'react';
import { getReadingDirection } from '../../../../contract/i18n.ts';

/** From right to left, what is further on is at negative positions. */
const toLeft = (distance: number): number => (getReadingDirection() === 'rtl' ? -distance : distance);

/** A row of pages that snaps to one of them: moved by swipes, and by `show`, which wraps around. */
export const useCarousel = (count: number, initial = 0) => {
  const trackRef = useRef<HTMLUListElement | null>(null);
  /** The target of a scroll that `show` started. */
  const targetRef = useRef<number>(undefined);
  const [index, setIndex] = useState(initial);

  // Not an effect: a dialog adds its content later than its component.
  const attach = useCallback(
    (track: HTMLUListElement | null) => {
      trackRef.current = track;
      if (initial > 0) track?.scrollTo({ left: toLeft(track.clientWidth * initial), behavior: 'instant' });
    },
    [initial],
  );

  const show = (wanted: number) => {
    const next = (wanted + count) % count;
    setIndex(next);
    targetRef.current = next;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    trackRef.current?.scrollTo({ left: toLeft(trackRef.current.clientWidth * next), behavior });
  };
  /** Follows a swipe. Ignores the pages that a scroll of `show` passes. */
  const handleScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent<HTMLElement>) => {
    const reached = Math.round(Math.abs(scrollLeft) / clientWidth);
    if (targetRef.current === undefined) setIndex(reached);
    else if (targetRef.current === reached) targetRef.current = undefined;
  };
  const handleScrollEnd = (event: UIEvent<HTMLElement>) => {
    targetRef.current = undefined;
    handleScroll(event);
  };
  /** A touch interrupts the scroll of `show`. */
  const handlePointerDown = () => {
    targetRef.current = undefined;
  };
  return {
    index,
    show,
    track: {
      ref: attach,
      onPointerDown: handlePointerDown,
      onScroll: handleScroll,
      onScrollEnd: handleScrollEnd,
    },
  };
};
