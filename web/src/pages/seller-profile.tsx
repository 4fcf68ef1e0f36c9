import { clsx as cn } from 'clsx';
import { CircleCheck, ExternalLink, Tag, UserX } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { t } from '../../../contract/i18n.ts';
import { TITLES } from '../../../contract/pages.ts';
import { getProfile, type Profile } from '../../../contract/users.ts';
import { fetchPage, getErrorMessage, hasStatus } from '../api/client.ts';
import { useApiQuery } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import { AdCardSkeleton } from '../features/ads/ad-card.tsx';
import { AdGrid, AdGridSkeleton } from '../features/ads/ad-list.tsx';
import { ProfileActions } from '../features/blocks/person-actions.tsx';
import { FollowButton } from '../features/follows/follow-button.tsx';
import { ContactAbout } from '../features/messages/contact-about.tsx';
import { useGoBack } from '../hooks/use-go-back.ts';
import { useHydrated } from '../hooks/use-hydrated.ts';
import { lazyWithRetry } from '../lib/chunks.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { Avatar, SellerBadges } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { EmptyState, Skeleton, SkeletonRegion } from '../ui/feedback.tsx';
import { Figure } from '../ui/figure.tsx';
import { Handle } from '../ui/handle.tsx';
import { InBrowser } from '../ui/in-browser.tsx';
import { LoadMoreButton } from '../ui/load-more-button.tsx';
import { Query } from '../ui/query.tsx';
import { Rich } from '../ui/rich.tsx';
import { SellerFacts } from '../ui/seller-facts.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs.tsx';
import { useToast } from '../ui/toast/toast.tsx';

export const SellerProfilePage = () => {
  const { username = '' } = useParams();
  // The same request as that of the first tab, so it is sent once.
  const query = useApiQuery(getProfile, { params: { username }, query: { status: 'active' } });
  return (
    <div className="container-page py-8 md:py-12">
      <Query
        of={query}
        failure={t('profile.loadFailed')}
        size="page"
        refusal={(error) => (hasStatus(error, 404) ? <UserNotFound /> : undefined)}
        loading={<ProfileSkeleton />}
      >
        {({ items: profile }) => (
          <>
            <PageTitle title={TITLES.seller(profile.user)} />
            <SellerProfile key={username} profile={profile} />
          </>
        )}
      </Query>
    </div>
  );
};

const UserNotFound = () => {
  const goBack = useGoBack();
  return (
    <EmptyState icon={UserX} heading="h1" title={TITLES.sellerNotFound} text={t('profile.notFoundText')}>
      <PageTitle title={TITLES.sellerNotFound} />
      <Button onClick={() => goBack('/')}>{t('profile.goBack')}</Button>
    </EmptyState>
  );
};

const RatingList = lazyWithRetry(
  () => import('../features/deals/rating-list.tsx').then((m) => m.RatingList),
  undefined,
  <Skeleton className="h-40" />,
);

export const SellerProfile = ({ profile }: { profile: Profile }) => (
  <div className="grid gap-6 md:gap-8">
    <SellerHeader profile={profile} />
    <Listings profile={profile} />
    <InBrowser>
      <RatingList user={profile.user} />
    </InBrowser>
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

export const SellerHeader = ({ profile }: { profile: Profile }) => {
  const { user, stats } = profile;
  // The facts say more than the badge.
  const { rating: _, ...badges } = user;
  const me = useSession().user;
  const isOwn = me?.id === user.id;
  return (
    <Card className="grid gap-4">
      <div className="flex flex-wrap items-start gap-4 sm:gap-6">
        <Avatar src={user.avatar} name={user.displayName} className="size-16 text-2xl sm:size-28 sm:text-4xl" />
        <div className="grid min-w-[min(7rem,100%)] flex-1 gap-1">
          <h1 className="flex flex-wrap items-center gap-1.5 text-xl font-semibold sm:text-3xl">
            <bdi className="truncate">{user.displayName}</bdi>
            <SellerBadges user={badges} />
          </h1>
          <p className="flex flex-wrap items-center gap-x-4 text-muted-foreground">
            <span className="truncate">
              <Handle name={user.username} />
            </span>
            <a
              href={`https://x.com/${user.username}`}
              target="_blank"
              rel="noopener"
              className="inline-flex min-h-6 items-center gap-1 text-sm text-link"
            >
              {t('profile.viewOnX')} <ExternalLink className="size-3.5" />
            </a>
          </p>
        </div>
        {isOwn ? null : <ProfileActions person={user} />}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <SellerFacts user={user} toRatings="#ratings" />
        {isOwn ? null : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <ContactAbout seller={user} ads={profile.ads} />
            <FollowButton person={user} />
          </div>
        )}
      </div>
      <dl
        className={cn(
          'grid gap-3 border-t border-border pt-4 text-center',
          stats.followers === undefined ? 'grid-cols-3' : 'grid-cols-2 sm:grid-cols-4',
        )}
      >
        <SellerFigure term={t('profile.totalAds')} value={stats.totalAds} />
        <SellerFigure term={t('profile.activeAds')} value={stats.activeAds} />
        <SellerFigure term={t('profile.totalViews')} value={stats.totalViews} />
        {stats.followers === undefined ? null : <SellerFigure term={t('profile.followers')} value={stats.followers} />}
      </dl>
    </Card>
  );
};

const SellerFigure = ({ term, value }: { term: string; value: number }) => (
  <div className="flex flex-col-reverse">
    <dt className="text-sm text-muted-foreground">{term}</dt>
    <dd className="text-xl font-semibold sm:text-2xl">
      <Figure value={value} />
    </dd>
  </div>
);

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
        <Rich text={t('profile.listingsBy')} name={() => <bdi>{user.displayName}</bdi>} />
      </h2>
      <Tabs value={tab} onValueChange={handleTab}>
        <TabList aria-label={t('profile.listings')}>
          <Tab value="active">{t('profile.active', { count: stats.activeAds })}</Tab>
          <Tab value="sold">{t('profile.sold', { count: stats.soldAds })}</Tab>
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
  const query = useApiQuery(getProfile, { params: { username }, query: { status } });
  const [isLoadingMore, setLoadingMore] = useState(false);
  const toast = useToast();
  const next = query.data?.next;

  /** Returns the number of added ads: 0 if the list was refetched meanwhile. */
  const loadMore = async (): Promise<number> => {
    if (!next || isLoadingMore) return 0;
    setLoadingMore(true);
    let count = 0;
    try {
      const more = await fetchPage<Profile>(next);
      await query.mutate(
        (now) => {
          if (now?.next !== next) return now;
          count = more.items.ads.length;
          return { ...now, items: { ...now.items, ads: [...now.items.ads, ...more.items.ads] }, next: more.next };
        },
        { revalidate: false },
      );
    } catch (cause) {
      toast.error(getErrorMessage(cause, t('list.fetchFailed')));
    } finally {
      setLoadingMore(false);
    }
    return count;
  };
  return (
    <Query of={query} failure={t('list.fetchFailed')} loading={<AdGridSkeleton count={6} />}>
      {({ items: { ads } }) =>
        ads.length === 0 ? (
          <NoListings status={status} />
        ) : (
          <>
            <AdGrid ads={ads} />
            <LoadMoreButton list={{ hasMore: Boolean(next), isLoadingMore, loadMore }} />
          </>
        )
      }
    </Query>
  );
};

const NoListings = ({ status }: { status: Status }) =>
  status === 'active' ? (
    <EmptyState icon={Tag} heading="h3" title={t('profile.noneActive')} text={t('profile.noneActiveText')} />
  ) : (
    <EmptyState icon={CircleCheck} heading="h3" title={t('profile.noneSold')} text={t('profile.noneSoldText')} />
  );
