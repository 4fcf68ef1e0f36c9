import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Image } from '../../../../../contract/ads.ts';
import { useCloseOnBack, useEscapeLayer, useReturnFocus } from '../../../hooks/use-overlay.ts';

const SWIPE_PX = 50;

interface ViewerProps {
  images: Image[];
  title: string;
  initialIndex: number;
  onClose: () => void;
}

/** One image on the full screen. Arrow keys wrap around, Home and End jump, a swipe turns, Escape closes. */
export const Viewer = ({ images, title, initialIndex, onClose }: ViewerProps) => {
  const count = images.length;
  const [index, setIndex] = useState(initialIndex);
  const returnFocus = useReturnFocus();
  const layer = useEscapeLayer<HTMLDivElement>(onClose);
  useCloseOnBack(true, onClose);
  const pressedAtRef = useRef<number | null>(null);
  const image = images[index] as Image;
  const showNeighbour = (steps: number) => setIndex((current) => (current + steps + count) % count);

  useEffect(() => {
    for (const step of [1, -1]) {
      const neighbour = images[(index + step + count) % count];
      if (neighbour) new window.Image().src = neighbour.url;
    }
  }, [images, index, count]);

  const handleKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowRight') showNeighbour(1);
    if (key === 'ArrowLeft') showNeighbour(-1);
    if (key === 'Home') setIndex(0);
    if (key === 'End') setIndex(count - 1);
  };
  const handleRelease = ({ clientX }: PointerEvent) => {
    const moved = pressedAtRef.current === null ? 0 : clientX - pressedAtRef.current;
    pressedAtRef.current = null;
    if (Math.abs(moved) > SWIPE_PX) showNeighbour(moved < 0 ? 1 : -1);
  };

  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Content
          {...returnFocus}
          {...layer}
          aria-describedby={undefined}
          onKeyDown={handleKey}
          className="fixed inset-0 z-overlay flex animate-fade-in flex-col bg-black text-white"
        >
          <Dialog.Title className="sr-only">Photos of {title}</Dialog.Title>
          <div className="flex items-center justify-between p-3">
            <p role="status" className="px-2 font-medium tabular-nums">
              {index + 1} / {count}
            </p>
            <Dialog.Close aria-label="Close viewer" className={CONTROL}>
              <X className="size-6" />
            </Dialog.Close>
          </div>
          <div
            className="relative min-h-0 flex-1 touch-pan-y touch-pinch-zoom"
            onPointerDown={({ clientX }) => {
              pressedAtRef.current = clientX;
            }}
            onPointerUp={handleRelease}
          >
            <img
              key={image.url}
              src={image.url}
              alt={`${title} (${index + 1} of ${count})`}
              width={image.width}
              height={image.height}
              draggable={false}
              className="size-full animate-fade-in object-contain select-none"
            />
          </div>
          {count > 1 ? (
            <div className="flex justify-center gap-6 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
              <button type="button" aria-label="Previous photo" className={CONTROL} onClick={() => showNeighbour(-1)}>
                <ChevronLeft className="size-6" />
              </button>
              <button type="button" aria-label="Next photo" className={CONTROL} onClick={() => showNeighbour(1)}>
                <ChevronRight className="size-6" />
              </button>
            </div>
          ) : null}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

const CONTROL =
  'flex size-11 items-center justify-center rounded-full bg-white/15 hover:bg-white/25 focus-visible:outline-white';
