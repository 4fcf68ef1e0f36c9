import type { Profile } from '../../../../contract/users.ts';
import { AdCardSkeleton } from '../../features/ads/ad-card.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/skeleton.tsx';
import { Listings } from './listings.tsx';
import { SellerHeader } from './seller-header.tsx';

/** Who sells, and what. */
export const SellerProfile = ({ profile }: { profile: Profile }) => (
  <div className="grid gap-6 md:gap-8">
    <SellerHeader profile={profile} />
    <Listings profile={profile} />
  </div>
);

const PLACEHOLDERS = ['a', 'b', 'c', 'd', 'e', 'f'];

export const ProfileSkeleton = () => (
  <SkeletonRegion className="grid gap-6 md:gap-8">
    <Skeleton className="h-44" />
    <div className="ad-grid">
      {PLACEHOLDERS.map((key) => (
        <AdCardSkeleton key={key} />
      ))}
    </div>
  </SkeletonRegion>
);
