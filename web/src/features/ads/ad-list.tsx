import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { listAds } from '../../../../contract/ads.ts';
import type { usePagedCall } from '../../api/use-paged-call.ts';
import { announce } from '../../lib/announcer.tsx';
import { cn } from '../../lib/cn.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/empty.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useToast } from '../../ui/toast/toast-context.ts';
import { AdGrid, AdGridSkeleton } from './ad-grid.tsx';

type AdPages = ReturnType<typeof usePagedCall<typeof listAds>>;

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
      toast({ title: 'Error', description: 'Failed to fetch ads', variant: 'destructive' });
    }
  };

  if (error) return <Failure title="Failed to fetch ads" onRetry={retry} />;
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
