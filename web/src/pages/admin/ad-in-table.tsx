import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { emojiOf } from '../../../../contract/categories.ts';
import { Picture } from '../../ui/picture.tsx';

/** Cover, title and the first words of the description. */
export const AdInTable = ({ ad }: { ad: Ad }) => {
  const cover = ad.images[0];
  return (
    <div className="flex min-w-0 items-center gap-3">
      {cover ? (
        <Picture image={cover} alt="" className="size-14 shrink-0 rounded-control object-cover" />
      ) : (
        <span
          aria-hidden="true"
          className="flex size-14 shrink-0 items-center justify-center rounded-control bg-muted text-2xl"
        >
          {emojiOf(ad.categorySlug)}
        </span>
      )}
      <div className="min-w-0">
        <Link to={`/ads/${ad.id}`} className="line-clamp-1 font-medium hover:underline">
          <bdi>{ad.title}</bdi>
        </Link>
        <p className="line-clamp-2 text-sm text-muted-foreground">{ad.description}</p>
      </div>
    </div>
  );
};
