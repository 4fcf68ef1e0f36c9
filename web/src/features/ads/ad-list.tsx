import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import type { Ad, listAds } from '../../../../contract/ads.ts';
import type { useInfiniteApiQuery } from '../../api/query.ts';
import { cn } from '../../lib/cn.ts';
import { announce } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorState, SkeletonRegion, Spinner } from '../../ui/feedback.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { AdCard, AdCardSkeleton } from './ad-card.tsx';

type AdPages = ReturnType<typeof useInfiniteApiQuery<typeof listAds>>;

interface AdListProps {
  pages: AdPages;
  skeletons: number;
  empty: ReactNode;
}

/** Ads with all their states, and "Load More Ads", which leaves the scroll where it is and moves the focus on. */
export const AdList = ({ pages, skeletons, empty }: AdListProps) => {
  const { items, error, isLoading, hasMore, isLoadingMore, loadMore, retry } = pages;
  const toast = useToast();
  const list = useRef<HTMLDivElement>(null);
  const [growth, setGrowth] = useState<{ from: number }>();

  useEffect(() => {
    const { activeElement } = document;
    // Whoever has moved on meanwhile is not called back. Around the list nobody has: there Safari leaves the focus of
    // whoever presses a button, and any browser that of a click beside everything.
    const isHere = list.current?.contains(activeElement) || activeElement?.contains(list.current);
    if (!growth || !isHere) return;
    const firstNew = list.current?.querySelectorAll<HTMLElement>('article h3 a')[growth.from];
    firstNew?.focus({ preventScroll: true });
  }, [growth]);

  const handleLoadMore = async () => {
    const from = items?.length ?? 0;
    try {
      const count = await loadMore();
      if (count === 0) return;
      announce(`${count} more ads loaded`);
      setGrowth({ from });
    } catch {
      toast.error('Failed to fetch ads');
    }
  };

  if (error) return <ErrorState title="Failed to fetch ads" onRetry={retry} />;
  if (!items) return <AdGridSkeleton count={skeletons} />;
  if (items.length === 0) return empty;
  return (
    <div ref={list} aria-busy={isLoading || undefined} className={cn('transition-opacity', isLoading && 'opacity-55')}>
      <AdGrid ads={items} />
      {hasMore ? (
        <div className="mt-8 flex justify-center">
          <Button
            variant="outline"
            size="lg"
            className="w-60"
            busy={isLoadingMore || isLoading}
            onClick={() => void handleLoadMore()}
          >
            {isLoadingMore ? <Spinner /> : null}
            Load More Ads
          </Button>
        </div>
      ) : null}
    </div>
  );
};

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

/** The state of a navigation that is after results, not after the page that they stand on. */
export const TO_RESULTS = { isAfterResults: true };

/** Brings results to the top after such a navigation, on telephones: there they begin below the edge. */
export const useToResults = () => {
  const results = useRef<HTMLElement>(null);
  const { key, state } = useLocation();
  // Whoever comes back finds the page as it was left.
  const isNew = useNavigationType() === 'PUSH';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each navigation
  useEffect(() => {
    if (!isNew || !state?.isAfterResults || !matchMedia('(width < 40rem)').matches) return;
    // By the next frame the header is as high as it stays: the search that led here stood in it.
    const frame = requestAnimationFrame(() => results.current?.scrollIntoView());
    return () => cancelAnimationFrame(frame);
  }, [key]);
  return results;
};
