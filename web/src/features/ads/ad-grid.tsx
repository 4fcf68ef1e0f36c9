import type { Ad } from '../../../../contract/ads.ts';
import { SkeletonRegion } from '../../ui/skeleton.tsx';
import { AdCard, AdCardSkeleton } from './ad-card.tsx';

const FIRST_ROW = 4;

const priorityOf = (index: number) => (index === 0 ? 'high' : index < FIRST_ROW ? 'eager' : 'lazy');

export const AdGrid = ({ ads }: { ads: Ad[] }) => (
  <ul className="ad-grid">
    {ads.map((ad, index) => (
      <li key={ad.id} className="grid">
        <AdCard ad={ad} priority={priorityOf(index)} />
      </li>
    ))}
  </ul>
);

export const AdGridSkeleton = ({ count }: { count: number }) => (
  <SkeletonRegion className="ad-grid">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are alike and never reordered
      <AdCardSkeleton key={index} />
    ))}
  </SkeletonRegion>
);
