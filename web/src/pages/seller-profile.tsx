import { UserX } from 'lucide-react';
import { useNavigate, useParams } from 'react-router-dom';
import { TITLES } from '../../../contract/pages.ts';
import { getProfile, type Profile } from '../../../contract/users.ts';
import { hasStatus } from '../api/client.ts';
import { useApiQuery } from '../api/query.ts';
import { AdCardSkeleton } from '../features/ads/ad-card.tsx';
import { Listings } from '../features/seller-profile/listings.tsx';
import { SellerHeader } from '../features/seller-profile/seller-header.tsx';
import { PageTitle } from '../lib/site-config.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../ui/feedback.tsx';

export const SellerProfilePage = () => {
  const { username = '' } = useParams();
  // The same request as that of the first tab, so it is sent once.
  const { data, error, mutate } = useApiQuery(getProfile, { params: { username }, query: { status: 'active' } });
  return (
    <div className="container-page py-8 md:py-12">
      <PageTitle title={data ? TITLES.seller(data.items.user) : undefined} />
      {data ? (
        <SellerProfile key={username} profile={data.items} />
      ) : error ? (
        hasStatus(error, 404) ? (
          <UserNotFound />
        ) : (
          <ErrorState title="Failed to load this profile" onRetry={() => void mutate()} />
        )
      ) : (
        <ProfileSkeleton />
      )}
    </div>
  );
};

const UserNotFound = () => {
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={UserX}
      heading="h1"
      title="User Not Found"
      text="This person doesn't exist or has left the marketplace."
    >
      <PageTitle title={TITLES.sellerNotFound} />
      <Button onClick={() => void navigate(-1)}>Go Back</Button>
    </EmptyState>
  );
};

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
