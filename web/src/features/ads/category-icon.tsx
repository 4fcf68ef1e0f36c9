import { clsx as cn } from 'clsx';
import type { Category } from '../../../../contract/stats.ts';
import drawings from './category-icons.svg';
import { useCategories } from './use-categories.ts';

interface CategoryIconProps {
  category: Pick<Category, 'icon' | 'emoji'>;
  className?: string;
}

/** The drawn icon of a category, or the emoji for which there is no icon. */
export const CategoryIcon = ({ category: { icon, emoji }, className = 'size-5' }: CategoryIconProps) =>
  icon ? (
    <svg aria-hidden="true" className={cn('line-drawing shrink-0', className)}>
      <use href={`${drawings}#${icon}`} />
    </svg>
  ) : (
    <span aria-hidden="true" className={cn('grid shrink-0 place-items-center leading-none', className)}>
      {emoji}
    </span>
  );

const ANY: CategoryIconProps['category'] = { icon: 'package', emoji: '📦' };

/** In the place of the photo of an ad that has none. */
export const NoPhoto = ({ slug, className }: { slug: string | null; className?: string }) => {
  const category = useCategories().find((category) => category.slug === slug) ?? ANY;
  return (
    <div className={cn('no-photo', className)}>
      <CategoryIcon category={category} className="size-2/5 max-w-24" />
    </div>
  );
};
