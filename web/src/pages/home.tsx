import { Plus, SearchX } from 'lucide-react';
import { listAds } from '../../../contract/ads.ts';
import { TITLES } from '../../../contract/pages.ts';
import { getSiteStats } from '../../../contract/stats.ts';
import { useApiQuery, useInfiniteApiQuery } from '../api/query.ts';
import { AdList, useScrollToResults } from '../features/ads/ad-list.tsx';
import { usePlaceName } from '../features/ads/filters/applied-filters.tsx';
import { CategoryChips, DidYouMean, FilterChips } from '../features/ads/filters/filter-chips.tsx';
import { FilterPanel } from '../features/ads/filters/filter-panel.tsx';
import type { LooserSearchesProps } from '../features/ads/filters/looser-searches.tsx';
import { SortMenu } from '../features/ads/filters/sort-menu.tsx';
import { checkPrices, listApplied, useFilters } from '../features/ads/filters/use-filters.ts';
import { useCategoryName } from '../features/ads/use-categories.ts';
import { useGoToPostAd } from '../features/auth/sign-in.tsx';
import type { SaveSearchProps } from '../features/saved-searches/save-search-button.tsx';
import { useFocusFallback } from '../hooks/use-focus-fallback.ts';
import { lazyWithRetry } from '../lib/chunks.ts';
import { formatCount, formatTotal } from '../lib/format.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/feedback.tsx';
import { InBrowser } from '../ui/in-browser.tsx';

const LooserSearches = lazyWithRetry<LooserSearchesProps>(
  () => import('../features/ads/filters/looser-searches.tsx').then((module) => module.LooserSearches),
  () => null,
);

const SaveSearchButton = lazyWithRetry<SaveSearchProps>(
  () => import('../features/saved-searches/save-search-button.tsx').then((module) => module.SaveSearchButton),
  () => null,
);

export const HomePage = () => {
  const { filters, setFilters, clearFilters } = useFilters();
  const place = usePlaceName(filters);
  const category = useCategoryName(filters.category);
  const isValid = checkPrices(filters) === undefined;
  const pages = useInfiniteApiQuery(listAds, isValid ? { query: filters } : null, { keepPreviousData: true });
  const results = useScrollToResults();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const isFiltered = listApplied(filters).length > 0;
  const total = pages.items ? formatTotal(pages.total ?? pages.items.length, pages.totalExact) : undefined;
  return (
    <>
      <PageTitle title={TITLES.home(filters, { category, place })} />
      <Hero />
      <div className="container-page grid grid-cols-1 gap-5 py-6 sm:gap-6">
        <CategoryChips filters={filters} />
        <FilterPanel
          filters={filters}
          onChange={setFilters}
          onClear={clearFilters}
          total={pages.isLoading ? undefined : total}
        />
        {/* Gets the focus when the focused chip or button is removed. */}
        <div {...focusFallback} tabIndex={-1} className="grid grid-cols-1 gap-5 outline-none sm:gap-6">
          <FilterChips filters={filters} onRemove={setFilters}>
            {isValid && pages.items?.length !== 0 ? (
              // as large as the button, so that nothing moves when it appears
              <div className="min-h-11 min-w-[min(11.5rem,100%)] max-w-full md:min-h-10">
                <InBrowser>
                  <SaveSearchButton filters={filters} />
                </InBrowser>
              </div>
            ) : null}
          </FilterChips>
          <section ref={results} aria-labelledby="latest-ads" className="grid grid-cols-1 gap-4">
            <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-3">
              <h2 id="latest-ads" className="text-2xl font-semibold">
                {filters.sort && filters.sort !== 'newest' ? 'Ads' : 'Latest Ads'}
              </h2>
              <p role="status" className="grow text-sm text-muted-foreground tabular-nums">
                {total === undefined ? '' : `Showing ${total} results`}
              </p>
              <SortMenu filters={filters} onChange={setFilters} />
            </header>
            <DidYouMean filters={filters} total={pages.isLoading ? null : pages.total} />
            <AdList
              pages={pages}
              skeletons={8}
              empty={
                <EmptyState
                  icon={SearchX}
                  title="No ads found"
                  text="Try adjusting your search filters or check back later."
                >
                  {isFiltered ? (
                    <>
                      <InBrowser>
                        <LooserSearches filters={filters} onChange={setFilters} />
                      </InBrowser>
                      <Button variant="outline" onClick={clearFilters}>
                        Clear filters
                      </Button>
                      <InBrowser>
                        <SaveSearchButton filters={filters} isExplained />
                      </InBrowser>
                    </>
                  ) : null}
                </EmptyState>
              }
            />
          </section>
        </div>
      </div>
    </>
  );
};

const Hero = () => {
  const postAd = useGoToPostAd();
  return (
    <div className="border-b border-border bg-surface">
      <div className="container-page flex flex-col gap-5 py-6 sm:py-8 md:flex-row md:items-end md:justify-between">
        <div className="grid gap-2">
          <h1 className="page-heading">Buy and sell with people on X</h1>
          <p className="text-muted-foreground md:text-lg">
            The marketplace for X users. Look up every seller before you meet.
          </p>
          <Button className="mt-2 sm:hidden" size="lg" onClick={postAd}>
            <Plus />
            Post an Ad
          </Button>
        </div>
        <StatsStrip />
      </div>
    </div>
  );
};

export const StatsStrip = () => {
  const { data, error, mutate } = useApiQuery(getSiteStats, {});
  if (error && !data)
    return (
      <p role="alert" className="text-sm text-muted-foreground">
        Failed to load the figures.{' '}
        <Button variant="link" size="inline" onClick={() => void mutate()}>
          Try again
        </Button>
      </p>
    );
  const figures = [
    { label: 'Active Ads', value: data?.activeAds },
    { label: 'Happy Users', value: data?.users },
    { label: 'Categories', value: data?.categories },
  ];
  return (
    <dl className="grid grid-cols-3 gap-4 sm:flex sm:gap-10">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-xs text-muted-foreground sm:text-sm">{label}</dt>
          <dd className="text-xl font-semibold tabular-nums sm:text-2xl">
            {value === undefined ? '–' : formatCount(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
};
