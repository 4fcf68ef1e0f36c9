import { clsx as cn } from 'clsx';
import type { Image } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { Photo } from '../../ui/photo.tsx';

interface ThumbnailsProps {
  images: Image[];
  index: number;
  onChoose: (index: number) => void;
  className?: string;
}

/** Before hydration they show their colors: as photos, they would compete with the large one. */
export const Thumbnails = ({ images, index, onChoose, className }: ThumbnailsProps) => {
  const isHydrated = useHydrated();
  return (
    <ul className={cn('scrollbar-none flex gap-2 overflow-x-auto py-0.5', className)}>
      {images.map((image, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an ad may have the same photo twice
        <li key={position} className="shrink-0">
          <button
            type="button"
            aria-label={t('photos.show', { number: position + 1 })}
            aria-current={position === index ? 'true' : undefined}
            onClick={() => onChoose(position)}
            className="block size-16 overflow-hidden rounded-control opacity-70 ring-primary transition-opacity hover:opacity-100 aria-[current]:opacity-100 aria-[current]:ring-2"
          >
            {isHydrated ? (
              <Photo image={image} alt="" priority="eager" className="size-full object-cover" />
            ) : (
              <span className="block size-full" style={{ backgroundColor: image.color }} />
            )}
          </button>
        </li>
      ))}
    </ul>
  );
};
