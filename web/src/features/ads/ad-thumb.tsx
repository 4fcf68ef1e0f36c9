import type { Ad } from '../../../../contract/ads.ts';
import { cn } from '../../lib/cn.ts';
import { Picture } from '../../ui/picture.tsx';
import { CategoryEmoji } from './category-emoji.tsx';

/** The small square of an ad in tables and lists. */
export const AdThumb = ({ ad, className }: { ad: Pick<Ad, 'images' | 'categorySlug'>; className?: string }) => {
  const cover = ad.images[0];
  const shape = cn('shrink-0 overflow-hidden rounded-control', className ?? 'size-14');
  return cover ? (
    <Picture image={cover} alt="" className={cn(shape, 'object-cover')} />
  ) : (
    <CategoryEmoji slug={ad.categorySlug} className={cn(shape, 'text-2xl')} />
  );
};
