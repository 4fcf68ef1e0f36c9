import type { Image } from '../../../../../contract/ads.ts';
import { Picture } from '../../../ui/picture.tsx';

interface ThumbnailsProps {
  images: Image[];
  index: number;
  onChoose: (index: number) => void;
}

export const Thumbnails = ({ images, index, onChoose }: ThumbnailsProps) => (
  <ul className="scrollbar-none flex gap-2 overflow-x-auto px-4 py-0.5 sm:px-0.5">
    {images.map((image, at) => (
      <li key={image.url} className="shrink-0">
        <button
          type="button"
          aria-label={`Show picture ${at + 1}`}
          aria-current={at === index ? 'true' : undefined}
          onClick={() => onChoose(at)}
          className="block size-16 overflow-hidden rounded-control opacity-70 ring-primary transition-opacity hover:opacity-100 aria-[current]:opacity-100 aria-[current]:ring-2"
        >
          <Picture image={image} alt="" className="size-full object-cover" />
        </button>
      </li>
    ))}
  </ul>
);
