import { CircleCheck, Tag } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Ad } from '../../../../contract/ads.ts';
import { getProfile, type Profile } from '../../../../contract/users.ts';
import { fetchPage, getErrorMessage } from '../../api/client.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHydrated } from '../../hooks/use-hydrated.ts';
import { formatCount } from '../../lib/format.ts';
import { EmptyState, ErrorState } from '../../ui/feedback.tsx';
import { LoadMoreButton } from '../../ui/load-more-button.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { AdGrid, AdGridSkeleton } from '../ads/ad-list.tsx';

type Status = 'active' | 'sold';

/** The seller's ads in two tabs. The URL's hash names the open tab. */
export const Listings = ({ profile }: { profile: Profile }) => {
  const { hash } = useLocation();
  const isHydrated = useHydrated();
  const navigate = useNavigate();
  const { user, stats } = profile;
  // The server does not receive the hash.
  const tab: Status = isHydrated && hash === '#sold' ? 'sold' : 'active';
  const handleTab = (value: string) =>
    void navigate({ hash: value === 'sold' ? 'sold' : '' }, { replace: true, preventScrollReset: true });

  return (
    <section aria-labelledby="listings">
      <h2 id="listings" className="mb-3 section-heading">
        Listings by <bdi>{user.displayName}</bdi>
      </h2>
      <Tabs value={tab} onValueChange={handleTab}>
        <TabList aria-label="Listings">
          <Tab value="active">Active ({formatCount(stats.activeAds)})</Tab>
          <Tab value="sold">Sold ({formatCount(stats.soldAds)})</Tab>
        </TabList>
        <TabPanel value="active">
          <ListingsOf username={user.username ?? ''} status="active" />
        </TabPanel>
        <TabPanel value="sold">
          <ListingsOf username={user.username ?? ''} status="sold" />
        </TabPanel>
      </Tabs>
    </section>
  );
};

const ListingsOf = ({ username, status }: { username: string; status: Status }) => {
  const { data, error, mutate } = useApiQuery(getProfile, { params: { username }, query: { status } });
  if (error) return <ErrorState title="Failed to fetch ads" onRetry={() => void mutate()} />;
  if (!data) return <AdGridSkeleton count={6} />;
  const { items, next } = data;
  const append = async (ads: Ad[], rest: string | null): Promise<number> => {
    let count = 0;
    await mutate(
      (now) => {
        if (now?.next !== next) return now;
        count = ads.length;
        return { ...now, items: { ...now.items, ads: [...now.items.ads, ...ads] }, next: rest };
      },
      { revalidate: false },
    );
    return count;
  };
  if (items.ads.length === 0) return <NoListings status={status} />;
  return (
    <>
      <AdGrid ads={items.ads} />
      <MoreListings next={next} onLoaded={append} />
    </>
  );
};

const NoListings = ({ status }: { status: Status }) =>
  status === 'active' ? (
    <EmptyState icon={Tag} heading="h3" title="No Active Ads" text="This seller has nothing on offer right now." />
  ) : (
    <EmptyState
      icon={CircleCheck}
      heading="h3"
      title="No Sold Items"
      text="This seller has not sold anything here yet."
    />
  );

interface MoreListingsProps {
  next: string | null;
  /** Returns the number of added ads: 0 if the list was refetched meanwhile. */
  onLoaded: (ads: Ad[], next: string | null) => Promise<number>;
}

export const MoreListings = ({ next, onLoaded }: MoreListingsProps) => {
  const [isLoadingMore, setLoadingMore] = useState(false);
  const showToast = useToast();
  const loadMore = async (): Promise<number> => {
    if (!next || isLoadingMore) return 0;
    setLoadingMore(true);
    try {
      const page = await fetchPage<Profile>(next);
      return await onLoaded(page.items.ads, page.next);
    } catch (error) {
      showToast.error(getErrorMessage(error, 'Failed to fetch ads'));
      return 0;
    } finally {
      setLoadingMore(false);
    }
  };
  return <LoadMoreButton list={{ hasMore: next !== null, isLoadingMore, loadMore }} />;
};
