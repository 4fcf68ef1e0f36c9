import { clsx as cn } from 'clsx';
import { ChevronLeft, ChevronRight, type LucideIcon, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { KeyboardEvent } from 'react';
import type { Image } from '../../../../contract/ads.ts';
import { getReadingDirection, t } from '../../../../contract/i18n.ts';
import { useCloseOnBack, useEscapeLayer, useReturnFocus } from '../../hooks/use-overlay.ts';
import { Thumbnails } from './thumbnails.tsx';
import { useCarousel } from './use-carousel.ts';

interface ViewerProps {
  images: Image[];
  title: string;
  initialIndex: number;
  onClose: () => void;
}

/** The photos on the full screen. Arrow keys wrap around, Home and End jump, a swipe turns, Escape closes. */
export const Viewer = ({ images, title, initialIndex, onClose }: ViewerProps) => {
  const count = images.length;
  const { index, show, track } = useCarousel(count, initialIndex);
  const returnFocus = useReturnFocus();
  const layer = useEscapeLayer<HTMLDivElement>(onClose);
  useCloseOnBack(true, onClose);

  const handleKey = (event: KeyboardEvent) => {
    const step = getReadingDirection() === 'rtl' ? -1 : 1;
    const target = { ArrowRight: index + step, ArrowLeft: index - step, Home: 0, End: count - 1 }[event.key];
    if (target === undefined) return;
    // the track would scroll as well
    event.preventDefault();
    show(target);
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
          <Dialog.Title className="sr-only">{t('ad.photosOf', { title })}</Dialog.Title>
          <div className="flex items-center justify-end p-3">
            {count > 1 ? (
              <p role="status" className="me-auto px-2 font-medium tabular-nums">
                <bdi>
                  {index + 1} / {count}
                </bdi>
              </p>
            ) : null}
            <Dialog.Close aria-label={t('ad.closeViewer')} className={CONTROL}>
              <X className="size-6" />
            </Dialog.Close>
          </div>
          <div className="relative min-h-0 flex-1">
            <ul
              {...track}
              aria-label={t('ad.photos')}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
              tabIndex={0}
              className="scrollbar-none flex size-full snap-x snap-mandatory overflow-x-auto overscroll-x-contain -outline-offset-2 focus-visible:outline-white"
            >
              {images.map((image, position) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
                <li key={position} inert={position !== index} className="size-full shrink-0 snap-center snap-always">
                  <img
                    src={image.url}
                    alt={count > 1 ? t('ad.photoTitle', { title, number: position + 1, all: count }) : title}
                    width={image.width}
                    height={image.height}
                    loading={Math.abs(position - index) > 1 ? 'lazy' : 'eager'}
                    draggable={false}
                    className="size-full object-contain select-none"
                  />
                </li>
              ))}
            </ul>
            {count > 1 ? (
              <>
                <Arrow
                  icon={ChevronLeft}
                  label={t('ad.previousPhoto')}
                  className="start-4"
                  onClick={() => show(index - 1)}
                />
                <Arrow
                  icon={ChevronRight}
                  label={t('ad.nextPhoto')}
                  className="end-4"
                  onClick={() => show(index + 1)}
                />
              </>
            ) : null}
          </div>
          {count > 1 ? (
            <div className="flex justify-center p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
              <Thumbnails images={images} index={index} onChoose={show} className="px-0.5" />
            </div>
          ) : null}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

interface ArrowProps {
  icon: LucideIcon;
  label: string;
  className: string;
  onClick: () => void;
}

const Arrow = ({ icon: Icon, label, className, onClick }: ArrowProps) => (
  <button
    type="button"
    aria-label={label}
    className={cn(CONTROL, 'absolute top-1/2 -translate-y-1/2 max-md:hidden', className)}
    onClick={onClick}
  >
    <Icon className="size-6" />
  </button>
);

const CONTROL =
  'flex size-11 items-center justify-center rounded-full bg-neutral-800/85 hover:bg-neutral-700 focus-visible:outline-white';
