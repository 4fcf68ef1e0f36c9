import { clsx as cn } from 'clsx';
import { ChevronLeft, ChevronRight, type LucideIcon, Maximize2 } from 'lucide-react';
import { useState } from 'react';
import type { Ad } from '../../../../../contract/ads.ts';
import { t } from '../../../../../contract/i18n.ts';
import { GALLERY_SIZES } from '../../../../../contract/image-variants.ts';
import { useHydrated } from '../../../hooks/use-hydrated.ts';
import { lazyWithRetry, preload } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { Photo, toPhotoName } from '../../../ui/photo.tsx';
import { Thumbnails } from '../../photos/thumbnails.tsx';
import { useCarousel } from '../../photos/use-carousel.ts';
import { NoPhoto } from '../category-icon.tsx';

const loadViewer = () => import('../../photos/viewer.tsx').then((module) => module.Viewer);
const Viewer = lazyWithRetry(loadViewer);

export const Gallery = ({ ad }: { ad: Ad }) => {
  const { images, title } = ad;
  const count = images.length;
  const { index, show, track } = useCarousel(count);
  const [furthest, setFurthest] = useState(0);
  if (index > furthest) setFurthest(index);
  const [viewing, setViewing] = useState(false);
  // Before hydration only the first photo loads. After it, each photo loads when it is next in line.
  const isHydrated = useHydrated();
  const [comesFromPage] = useState(isHydrated);
  const isLoaded = (position: number) => position === 0 || (isHydrated && position <= furthest + 1);

  if (count === 0)
    return (
      <div role="img" aria-label={t('ad.noPhotos')} className="overflow-hidden lg:rounded-card">
        <NoPhoto slug={ad.categorySlug} className="aspect-4/3" />
      </div>
    );

  return (
    <section aria-roledescription="carousel" aria-label={t('ad.photosOf', { title })} className="grid gap-3">
      <div className="relative overflow-hidden bg-muted lg:rounded-card">
        <ul
          {...track}
          className="scrollbar-none flex aspect-4/3 snap-x snap-mandatory overflow-x-auto overscroll-x-contain"
        >
          {images.map((image, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
            <li key={position} inert={position !== index} className="size-full shrink-0 snap-center">
              <button
                type="button"
                aria-label={t('ad.viewPhoto', { position: position + 1, total: count })}
                className="size-full cursor-zoom-in -outline-offset-2"
                onPointerEnter={preload(loadViewer)}
                onFocus={preload(loadViewer)}
                onClick={() => setViewing(true)}
              >
                {isLoaded(position) ? (
                  <Photo
                    image={image}
                    alt={count > 1 ? t('ad.photoAlt', { title, position: position + 1, total: count }) : title}
                    sizes={GALLERY_SIZES}
                    priority={position === 0 ? 'high' : 'lazy'}
                    name={position === 0 ? toPhotoName(ad) : undefined}
                    beginsAsThumb={comesFromPage && position === 0}
                    className="size-full object-contain"
                  />
                ) : null}
              </button>
            </li>
          ))}
        </ul>
        {count > 1 ? (
          <>
            <Arrow
              icon={ChevronLeft}
              label={t('ad.previousPhoto')}
              className="start-3"
              onClick={() => show(index - 1)}
            />
            <Arrow icon={ChevronRight} label={t('ad.nextPhoto')} className="end-3" onClick={() => show(index + 1)} />
            <p className="pointer-events-none absolute end-3 bottom-3 flex items-center gap-1.5 rounded-full bg-black/70 px-3 py-1 text-sm font-medium text-white tabular-nums">
              <Maximize2 className="size-3.5" />
              <bdi>
                {index + 1} / {count}
              </bdi>
            </p>
          </>
        ) : null}
      </div>
      {count > 1 ? (
        <Thumbnails images={images} index={index} onChoose={show} className="px-4 sm:px-6 lg:px-0.5" />
      ) : null}
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
    className={cn('absolute top-1/2 -translate-y-1/2 rounded-full bg-card/90 shadow-raised max-md:hidden', className)}
    onClick={onClick}
  >
    <Icon className="size-5" />
  </Button>
);
