import { memo, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import type { Ad, listAds } from '../../../../contract/ads.ts';
import { t } from '../../../../contract/i18n.ts';
import type { useInfiniteApiQuery } from '../../api/query.ts';
import { announce } from '../../lib/announcer.tsx';
import { unlessOffline } from '../../lib/online.ts';
import { Button } from '../../ui/button.tsx';
import { SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { Query, toBusyProps } from '../../ui/query.tsx';
import { useToast } from '../../ui/toast/toast.tsx';
import { AdCard, AdCardSkeleton } from './ad-card.tsx';

export type AdPages = ReturnType<typeof useInfiniteApiQuery<typeof listAds>>;

interface AdListProps {
  pages: AdPages;
  skeletons: number;
  empty: ReactNode;
}

/** After "Load More Ads" so many more pages load while one scrolls. Then it is asked for again, so that the footer can be reached. */
const PAGES_BY_SCROLLING = 4;

/** A list of ads. "Load More Ads" keeps the scroll position and moves the focus to the first new ad. */
export const AdList = ({ pages, skeletons, empty }: AdListProps) => {
  const { hasMore, isLoading, isLoadingMore, loadMore } = pages;
  const toast = useToast();
  const listRef = useRef<HTMLDivElement>(null);
  const [growth, setGrowth] = useState<{ from: number }>();
  const { key } = useLocation();
  const [scrolling, setScrolling] = useState({ key, pages: 0 });
  const pagesLeft = scrolling.key === key ? scrolling.pages : 0;

  useEffect(() => {
    const { activeElement } = document;
    // Moves the focus only if the user has not. In Safari, a parent of the pressed button has the focus; in every
    // browser, a click on nothing focuses the body.
    const isHere = listRef.current?.contains(activeElement) || activeElement?.contains(listRef.current);
    if (!growth || !isHere) return;
    const firstNew = listRef.current?.querySelectorAll<HTMLElement>('article h3 a')[growth.from];
    firstNew?.focus({ preventScroll: true });
  }, [growth]);

  const load = async (pagesAfter: number): Promise<number> => {
    setScrolling({ key, pages: pagesAfter });
    try {
      const count = await loadMore();
      if (count > 0) announce(t('list.moreLoaded', { count }));
      return count;
    } catch {
      setScrolling({ key, pages: 0 });
      toast.error(unlessOffline(t('list.fetchFailed')));
      return 0;
    }
  };
  const handleLoadMore = async () => {
    const from = pages.data?.length ?? 0;
    if ((await load(PAGES_BY_SCROLLING)) > 0) setGrowth({ from });
  };
  const endRef = useRef<HTMLDivElement>(null);
  const handleEnd = useEffectEvent(() => void load(pagesLeft - 1));
  const loadsByScrolling = hasMore && pagesLeft > 0 && !isLoading && !isLoadingMore;
  useEffect(() => {
    if (!loadsByScrolling || !endRef.current) return;
    const observer = new IntersectionObserver(([end]) => end?.isIntersecting && handleEnd(), { rootMargin: '800px' });
    observer.observe(endRef.current);
    return () => observer.disconnect();
  }, [loadsByScrolling]);

  return (
    <Query of={pages} failure={t('list.fetchFailed')} loading={<AdGridSkeleton count={skeletons} />} empty={empty}>
      {(ads) => (
        <div ref={listRef} {...toBusyProps(pages)}>
          <AdGrid ads={ads} />
          {hasMore ? (
            <div ref={endRef} className="mt-8 flex justify-center">
              <Button
                variant="outline"
                size="lg"
                className="w-60"
                busy={isLoadingMore || isLoading}
                onClick={() => void handleLoadMore()}
              >
                {isLoadingMore ? <Spinner /> : null}
                {t('list.loadMore')}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </Query>
  );
};

const FIRST_ROW = 4;

const getPriority = (index: number) => (index === 0 ? 'high' : index < FIRST_ROW ? 'eager' : 'lazy');

/** `isBelowFold`: all images may load late. */
export const AdGrid = memo(({ ads, isBelowFold = false }: { ads: Ad[]; isBelowFold?: boolean }) => (
  <ul className="ad-grid">
    {ads.map((ad, index) => (
      <li key={ad.id} className="grid">
        <AdCard ad={ad} priority={isBelowFold ? 'lazy' : getPriority(index)} moves={!isBelowFold} />
      </li>
    ))}
  </ul>
));

export const AdGridSkeleton = ({ count }: { count: number }) => (
  <SkeletonRegion className="ad-grid">
    {Array.from({ length: count }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are alike and never reordered
      <AdCardSkeleton key={index} />
    ))}
  </SkeletonRegion>
);

/** After such a navigation, scrolls to the results unless they begin in the upper half of the window. What is typed replaces. */
export const useScrollToResults = () => {
  const resultsRef = useRef<HTMLElement>(null);
  const { key, state } = useLocation();
  const isNew = useNavigationType() === 'PUSH';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useEffect(() => {
    if (!isNew || !state?.scrollsToResults) return;
    // In the next frame the header has its final height: it contained the search that navigated here.
    const frame = requestAnimationFrame(() => {
      const top = resultsRef.current?.getBoundingClientRect().top ?? 0;
      if (top < 0 || top > innerHeight / 2) resultsRef.current?.scrollIntoView();
    });
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return resultsRef;
};
