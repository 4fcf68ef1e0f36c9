import { SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { Link, useParams } from 'react-router-dom';
import { type Ad, getAd, listAds } from '../../../contract/ads.ts';
import { type Paged, toUrl } from '../../../contract/initial-state.ts';
import { TITLES } from '../../../contract/pages.ts';
import { hasStatus } from '../api/client.ts';
import { useApiQuery, useQueryCache } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { AdDetail, AdDetailSkeleton } from '../features/ads/detail/ad-detail.tsx';
import { PageTitle } from '../lib/site-config.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState, ErrorState } from '../ui/feedback.tsx';

export const AdDetailPage = () => {
  const { id = '' } = useParams();
  return <AdById key={id} id={id} />;
};

const AdById = ({ id }: { id: string }) => {
  const { data: ad, error, mutate } = useAd(id);
  const { user } = useSession();
  if (hasStatus(error, 404)) return <AdNotFound />;
  if (error) return <ErrorState title="Failed to fetch the ad" onRetry={() => void mutate()} />;
  if (!ad) return <AdDetailSkeleton />;
  return (
    <>
      <PageTitle title={TITLES.ad(ad)} />
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
    <PageTitle title={TITLES.adNotFound} />
    <EmptyState
      heading="h1"
      icon={SearchX}
      title="Ad not found"
      text="The ad you're looking for doesn't exist or has been removed."
    >
      <Button asChild>
        <Link to="/">Browse All Ads</Link>
      </Button>
    </EmptyState>
  </div>
);

/** The ad from a cached list. Ignores lists that a write has changed. */
const useKnownAd = (id: string): Ad | undefined => {
  const cache = useQueryCache();
  return useMemo(() => {
    for (const key of cache.keys()) {
      if (cache.stale.has(key) || (key !== listAds.path && !key.startsWith(`${listAds.path}?`))) continue;
      const known = (cache.get(key)?.data as Paged<Ad[]> | undefined)?.items.find((ad) => ad.id === id);
      if (known) return known;
    }
    return undefined;
  }, [cache, id]);
};

/** The ad of the page. Shows the ad from a cached list immediately; the response updates it. */
export const useAd = (id: string) => {
  const cache = useQueryCache();
  const known = useKnownAd(id);
  const isOnlyKnown = known !== undefined && cache.get(toUrl(getAd, { params: { id } }))?.data === undefined;
  return useApiQuery(
    getAd,
    { params: { id } },
    { fallbackData: known, ...(isOnlyKnown ? { revalidateOnMount: true } : {}) },
  );
};
