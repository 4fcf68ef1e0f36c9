import { Link } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { AdThumb } from '../../features/ads/ad-thumb.tsx';

/** Cover, title and the first words of the description. */
export const AdInTable = ({ ad }: { ad: Ad }) => (
  <div className="flex min-w-0 items-center gap-3">
    <AdThumb ad={ad} />
    <div className="min-w-0 wrap-anywhere">
      <Link to={`/ads/${ad.id}`} className="line-clamp-1 font-medium hover:underline">
        <bdi>{ad.title}</bdi>
      </Link>
      <p dir="auto" className="line-clamp-2 text-left text-sm text-muted-foreground">
        {ad.description}
      </p>
    </div>
  </div>
);
