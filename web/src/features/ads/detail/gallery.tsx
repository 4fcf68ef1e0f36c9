import { clsx as cn } from 'clsx';
import { ChevronLeft, ChevronRight, type LucideIcon, Maximize2 } from 'lucide-react';
import { type UIEvent, useRef, useState } from 'react';
import type { Ad, Image } from '../../../../../contract/ads.ts';
import { GALLERY_SIZES } from '../../../../../contract/image-variants.ts';
import { useHydrated } from '../../../hooks/use-hydrated.ts';
import { lazyWithRetry, preload } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { Photo } from '../../../ui/photo.tsx';
import { CategoryEmoji } from '../ad-card.tsx';

const loadViewer = () => import('./viewer.tsx').then((module) => module.Viewer);
const Viewer = lazyWithRetry(loadViewer);

export const Gallery = ({ ad }: { ad: Ad }) => {
  const trackRef = useRef<HTMLUListElement>(null);
  /** The target of a scroll that a button started. */
  const targetRef = useRef<number>(undefined);
  const [index, setIndex] = useState(0);
  const [furthest, setFurthest] = useState(0);
  const [viewing, setViewing] = useState(false);
  // Before hydration only the first photo loads. After it, each photo loads when it is next in line.
  const isHydrated = useHydrated();
  const isLoaded = (position: number) => position === 0 || (isHydrated && position <= furthest + 1);
  const { images, title } = ad;
  const count = images.length;

  if (count === 0)
    return (
      <div role="img" aria-label="No photos" className="overflow-hidden sm:rounded-card">
        <CategoryEmoji slug={ad.categorySlug} className="aspect-4/3 w-full text-8xl" />
      </div>
    );

  const select = (next: number) => {
    setIndex(next);
    setFurthest((furthest) => Math.max(furthest, next));
  };
  const show = (wanted: number) => {
    const next = (wanted + count) % count;
    select(next);
    targetRef.current = next;
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
    trackRef.current?.scrollTo({ left: trackRef.current.clientWidth * next, behavior });
  };
  /** Follows a swipe. Ignores the photos that a scroll of `show` passes. */
  const handleScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent<HTMLElement>) => {
    const reached = Math.round(scrollLeft / clientWidth);
    if (targetRef.current === undefined) select(reached);
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

  return (
    <section aria-roledescription="carousel" aria-label={`Photos of ${title}`} className="grid gap-3">
      <div className="group relative overflow-hidden bg-muted sm:rounded-card">
        <ul
          ref={trackRef}
          onPointerDown={handlePointerDown}
          onScroll={handleScroll}
          onScrollEnd={handleScrollEnd}
          className="scrollbar-none flex aspect-4/3 snap-x snap-mandatory overflow-x-auto overscroll-x-contain"
        >
          {images.map((image, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
            <li key={position} inert={position !== index} className="size-full shrink-0 snap-center">
              <button
                type="button"
                aria-label={`View photo ${position + 1} of ${count} full screen`}
                className="size-full cursor-zoom-in -outline-offset-2"
                onPointerEnter={preload(loadViewer)}
                onFocus={preload(loadViewer)}
                onClick={() => setViewing(true)}
              >
                {isLoaded(position) ? (
                  <Photo
                    image={image}
                    alt={count > 1 ? `${title} (${position + 1} of ${count})` : title}
                    sizes={GALLERY_SIZES}
                    priority={position === 0 ? 'high' : 'lazy'}
                    className="size-full object-contain"
                  />
                ) : null}
              </button>
            </li>
          ))}
        </ul>
        {count > 1 ? (
          <>
            <Arrow icon={ChevronLeft} label="Previous photo" className="left-3" onClick={() => show(index - 1)} />
            <Arrow icon={ChevronRight} label="Next photo" className="right-3" onClick={() => show(index + 1)} />
          </>
        ) : null}
        <p className="pointer-events-none absolute right-3 bottom-3 flex items-center gap-1.5 rounded-full bg-black/70 px-3 py-1 text-sm font-medium text-white tabular-nums">
          <Maximize2 className="size-3.5" />
          {index + 1} / {count}
        </p>
      </div>
      {count > 1 ? <Thumbnails images={images} index={index} onChoose={show} /> : null}
      {viewing ? <Viewer images={images} title={title} initialIndex={index} onClose={() => setViewing(false)} /> : null}
    </section>
  );
};

interface ArrowProps {
  icon: LucideIcon;
  label: string;
  className: string;
  onClick: () => void;
}

const Arrow = ({ icon: Icon, label, className, onClick }: ArrowProps) => (
  <Button
    variant="secondary"
    size="icon"
    aria-label={label}
    className={cn(
      'absolute top-1/2 -translate-y-1/2 rounded-full bg-card/90 opacity-0 shadow-raised group-hover:opacity-100 focus-visible:opacity-100 max-md:hidden',
      className,
    )}
    onClick={onClick}
  >
    <Icon className="size-5" />
  </Button>
);

interface ThumbnailsProps {
  images: Image[];
  index: number;
  onChoose: (index: number) => void;
}

export const Thumbnails = ({ images, index, onChoose }: ThumbnailsProps) => (
  <ul className="scrollbar-none flex gap-2 overflow-x-auto px-4 py-0.5 sm:px-0.5">
    {images.map((image, position) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
      <li key={position} className="shrink-0">
        <button
          type="button"
          aria-label={`Show photo ${position + 1}`}
          aria-current={position === index ? 'true' : undefined}
          onClick={() => onChoose(position)}
          className="block size-16 overflow-hidden rounded-control opacity-70 ring-primary transition-opacity hover:opacity-100 aria-[current]:opacity-100 aria-[current]:ring-2"
        >
          <Photo image={image} alt="" className="size-full object-cover" />
        </button>
      </li>
    ))}
  </ul>
);
