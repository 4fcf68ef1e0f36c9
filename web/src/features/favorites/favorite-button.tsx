import { Heart } from 'lucide-react';
import type { Ad } from '../../../../contract/ads.ts';
import { cn } from '../../lib/cn.ts';
import { useFavorites } from './favorites-context.tsx';

/** The heart on a card. */
export const FavoriteButton = ({ ad, className }: { ad: Pick<Ad, 'id' | 'title'>; className?: string }) => {
  const { ids, toggle } = useFavorites();
  const isFavorited = ids.has(ad.id);
  return (
    <button
      type="button"
      aria-pressed={isFavorited}
      aria-label={`Save ${ad.title}`}
      onClick={() => void toggle(ad.id)}
      className={cn(
        'flex size-9 items-center justify-center rounded-full bg-card/85 text-foreground shadow-raised backdrop-blur-sm transition-transform duration-150 after:absolute after:-inset-1 hover:scale-110 active:scale-95',
        className,
      )}
    >
      <Heart aria-hidden="true" className={cn('size-5', isFavorited && 'fill-favorite text-favorite')} />
    </button>
  );
};
