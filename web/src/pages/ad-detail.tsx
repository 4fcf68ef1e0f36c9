import { Search } from 'lucide-react';
import { type ComponentType, useEffect, useMemo, useRef, useState } from 'react';
import { useParams } from 'react-router-dom';
import { type Ad, getAd, listAds } from '../../../contract/ads.ts';
import { t } from '../../../contract/i18n.ts';
import type { Paged } from '../../../contract/initial-state.ts';
import { TITLES } from '../../../contract/pages.ts';
import { hasStatus } from '../api/client.ts';
import { useApiQuery, useQueryCache } from '../api/query.ts';
import { useSession } from '../api/session.ts';
import {
  AdDetailSkeleton,
  AdStatusBanner,
  Description,
  Details,
  ExternalSite,
  SafetyCard,
  SellerCard,
  SoldNotice,
  Summary,
} from '../features/ads/detail/ad-detail.tsx';
import { AdToolbar } from '../features/ads/detail/ad-toolbar.tsx';
import { ContactDialogs, ContactSeller, useContact } from '../features/ads/detail/contact-seller.tsx';
import { Gallery } from '../features/ads/detail/gallery.tsx';
import { OwnerActions } from '../features/ads/detail/owner-actions.tsx';
import { ReservationNotice } from '../features/offers/reservation.tsx';
import { XPostStatusCard } from '../features/x-posting/post-status.tsx';
import { lazyWithRetry } from '../lib/chunks.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { LinkButton } from '../ui/button.tsx';
import { EmptyPage } from '../ui/feedback.tsx';
import { Query } from '../ui/query.tsx';

export const AdDetailPage = () => {
  const { id = '' } = useParams();
  return <AdById key={id} id={id} />;
};

const AdById = ({ id }: { id: string }) => {
  const query = useAd(id);
  const { user } = useSession();
  return (
    <Query
      of={query}
      failure={t('ad.fetchFailed')}
      size="page"
      refusal={(error) => (hasStatus(error, 404) ? <AdNotFound /> : undefined)}
      loading={<AdDetailSkeleton />}
    >
      {(ad) => (
        <>
          <PageTitle title={TITLES.ad(ad)} />
          <AdDetail
            key={ad.id}
            ad={ad}
            isOwner={user?.id === ad.userId}
            onChange={(changed) => void query.mutate(changed, { revalidate: false })}
          />
        </>
      )}
    </Query>
  );
};

interface AdDetailProps {
  ad: Ad;
  isOwner: boolean;
  onChange: (ad: Ad) => void;
}

const AdDetail = ({ ad, isOwner, onChange }: AdDetailProps) => {
  const contact = useContact(ad);
  const isGone = ad.isSold && !isOwner;
  const seller = <SellerCard seller={ad.user} isOwner={isOwner} />;
  return (
    <div className="relative container-page pb-6 lg:pt-6">
      <AdToolbar
        ad={ad}
        isOwner={isOwner}
        onContact={isGone && ad.allowMessages ? () => contact.begin('contact') : undefined}
      />
      <div className="grid gap-6 lg:grid-cols-12 lg:grid-rows-[auto_1fr] lg:gap-x-10">
        <div className="-mx-4 min-w-0 sm:-mx-6 lg:col-span-7 lg:mx-0">
          <Gallery ad={ad} />
        </div>
        <div className="grid min-w-0 content-start gap-6 lg:sticky lg:top-22 lg:col-span-5 lg:row-span-2 lg:self-start">
          <Summary ad={ad} isOwner={isOwner} />
          {isOwner && ad.state ? <AdStatusBanner ad={ad} onChange={onChange} /> : null}
          {ad.isReserved ? <ReservationNotice ad={ad} isOwner={isOwner} /> : null}
          {isGone ? (
            <SoldNotice />
          ) : isOwner ? (
            <OwnerActions ad={ad} onChange={onChange} />
          ) : (
            <ContactSeller ad={ad} contact={contact} />
          )}
          {isOwner ? <XPostStatusCard adId={ad.id} /> : null}
          {ad.externalLink ? <ExternalSite url={ad.externalLink} /> : null}
          {isGone ? null : seller}
        </div>
        <div className="grid min-w-0 content-start gap-6 lg:col-span-7">
          {isGone ? <Later content={SimilarAds} ad={ad} /> : null}
          <Description text={ad.description} />
          <Details ad={ad} />
          {isGone ? seller : null}
          <SafetyCard />
        </div>
      </div>
      <Later content={isGone ? MoreFromSeller : MoreAds} ad={ad} />
      <ContactDialogs ad={ad} contact={contact} />
    </div>
  );
};

/** As high as the window, so that what takes its place moves nothing in sight. */
const RoomForAds = () => <div className="h-lvh noscript:hidden print:hidden" />;

const loadMoreAds = () => import('../features/ads/detail/more-ads.tsx');
const lazyAds = (name: 'MoreAds' | 'MoreFromSeller' | 'SimilarAds') =>
  lazyWithRetry<{ ad: Ad }>(
    () => loadMoreAds().then((module) => module[name]),
    () => null,
    <RoomForAds />,
  );
const MoreAds = lazyAds('MoreAds');
const MoreFromSeller = lazyAds('MoreFromSeller');
const SimilarAds = lazyAds('SimilarAds');

/** The ads that were read to their end. For those, the scroll position is restored on a page of full height. */
const readToEnd = new Set<string>();

/** Loads other ads once the reader comes near them. */
const Later = ({ ad, content: Content }: { ad: Ad; content: ComponentType<{ ad: Ad }> }) => {
  const ref = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(readToEnd.has(ad.id));
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        readToEnd.add(ad.id);
        setNear(true);
      },
      { rootMargin: '1200px' },
    );
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ad.id]);
  return <div ref={ref}>{isNear ? <Content ad={ad} /> : <RoomForAds />}</div>;
};

const AdNotFound = () => (
  <>
    <PageTitle title={TITLES.adNotFound} />
    <EmptyPage icon={Search} title={t('list.adNotFound')} text={t('ad.notFoundText')}>
      <LinkButton to="/">{t('ad.browseAll')}</LinkButton>
    </EmptyPage>
  </>
);

/** The ad from a cached list. Ignores lists that a write has changed. */
const useKnownAd = (id: string): Ad | undefined => {
  const cache = useQueryCache();
  return useMemo(() => {
    for (const key of cache.keys()) {
      if (cache.isStale(key) || (key !== listAds.path && !key.startsWith(`${listAds.path}?`))) continue;
      const known = (cache.get(key)?.data as Paged<Ad[]> | undefined)?.items.find((ad) => ad.id === id);
      if (known) return known;
    }
    return undefined;
  }, [cache, id]);
};

/** The ad of the page. Shows the ad from a cached list immediately; the response updates it. */
export const useAd = (id: string) => {
  const known = useKnownAd(id);
  return useApiQuery(getAd, { params: { id } }, { fallbackData: known });
};
