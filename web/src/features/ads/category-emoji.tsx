import { emojiOf } from '../../../../contract/categories.ts';
import { cn } from '../../lib/cn.ts';

/** Stands where an ad has no picture: the emoji of its category. */
export const CategoryEmoji = ({ slug, className }: { slug: string; className?: string }) => (
  <div
    aria-hidden="true"
    className={cn('flex items-center justify-center bg-muted text-5xl select-none', className ?? 'size-full')}
  >
    {emojiOf(slug)}
  </div>
);
