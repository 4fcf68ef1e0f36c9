import { SearchX } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { formatPrice } from '../../../../contract/format-price.ts';
import { hasStatus } from '../../api/api-error.ts';
import { useSession } from '../../api/session.ts';
import { PageTitle } from '../../features/site/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Failure } from '../../ui/empty.tsx';
import { AdDetail } from './ad-detail.tsx';
import { AdDetailSkeleton } from './ad-detail-skeleton.tsx';
import { useAd } from './use-ad.ts';

export const AdDetailPage = () => {
  const { id = '' } = useParams();
  return <AdById key={id} id={id} />;
};

const AdById = ({ id }: { id: string }) => {
  const { data: ad, error, mutate } = useAd(id);
  const { user } = useSession();
  if (hasStatus(error, 404)) return <AdNotFound />;
  if (error) return <Failure title="Failed to fetch the ad" onRetry={() => void mutate()} />;
  if (!ad) return <AdDetailSkeleton />;
  return (
    <>
      <PageTitle title={`${ad.title} – ${formatPrice(ad.price)}`} />
      <AdDetail
        key={ad.id}
        ad={ad}
        isOwner={user?.id === ad.userId}
        onChange={(changed) => void mutate(changed, { revalidate: false })}
      />
    </>
  );
};

const AdNotFound = () => (
  <div className="container-page py-16">
    <PageTitle title="Ad not found" />
    <Empty
      heading="h1"
      icon={SearchX}
      title="Ad not found"
      text="The ad you're looking for doesn't exist or has been removed."
    >
      <Button asChild>
        <Link to="/">Browse All Ads</Link>
      </Button>
    </Empty>
  </div>
);
