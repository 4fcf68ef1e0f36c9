import { Plus, SearchX } from 'lucide-react';
import { listAds } from '../../../../contract/ads.ts';
import { usePagedCall } from '../../api/use-paged-call.ts';
import { AdList } from '../../features/ads/ad-list.tsx';
import { formatTotal } from '../../features/ads/format-total.ts';
import { useToResults } from '../../features/ads/to-results.ts';
import { usePostAd } from '../../features/session/use-post-ad.ts';
import { PageTitle } from '../../features/site/page-title.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { CategoryChips } from './category-chips.tsx';
import { DidYouMean } from './did-you-mean.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';
import { StatsStrip } from './stats-strip.tsx';
import { checkPrices, useFilters } from './use-filters.ts';

export const HomePage = () => {
  const { filters, setFilters, clearFilters } = useFilters();
  const isValid = checkPrices(filters) === undefined;
  const pages = usePagedCall(listAds, isValid ? { query: filters } : null, { keepPreviousData: true });
  const results = useToResults();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <PageTitle title={filters.search ? `“${filters.search}”` : (filters.category ?? 'Browse ads')} />
      <Hero />
      <div className="container-page grid grid-cols-1 gap-5 py-6 sm:gap-6">
        <CategoryChips chosen={filters.category} />
        <FilterPanel filters={filters} onChange={setFilters} onClear={clearFilters} />
        <FilterChips filters={filters} onRemove={(name) => setFilters({ [name]: '' })} />
        <section ref={results} aria-labelledby="latest-ads" className="grid grid-cols-1 gap-4">
          <header className="flex flex-wrap items-baseline justify-between gap-x-4">
            <h2 id="latest-ads" className="text-2xl font-semibold">
              Latest Ads
            </h2>
            <p role="status" className="text-sm text-muted-foreground tabular-nums">
              {pages.items && !pages.error
                ? `Showing ${formatTotal(pages.total ?? pages.items.length, pages.totalExact)} results`
                : ''}
            </p>
          </header>
          <DidYouMean filters={filters} total={pages.isLoading ? null : pages.total} />
          <AdList
            pages={pages}
            skeletons={8}
            empty={
              <Empty icon={SearchX} title="No ads found" text="Try adjusting your search filters or check back later.">
                {isFiltered ? (
                  <Button variant="outline" onClick={clearFilters}>
                    Clear filters
                  </Button>
                ) : null}
              </Empty>
            }
          />
        </section>
      </div>
    </>
  );
};

const Hero = () => {
  const postAd = usePostAd();
  return (
    <div className="border-b border-border bg-surface">
      <div className="container-page flex flex-col gap-5 py-6 sm:py-8 md:flex-row md:items-end md:justify-between">
        <div className="grid gap-2">
          <h1 className="text-3xl leading-9 font-semibold tracking-tight md:text-4xl md:leading-10">
            Buy and sell with people on X
          </h1>
          <p className="text-muted-foreground md:text-lg">
            The marketplace for X users. Look up every seller before you meet.
          </p>
          <Button className="mt-2 sm:hidden" size="lg" onClick={postAd}>
            <Plus aria-hidden="true" />
            Post an Ad
          </Button>
        </div>
        <StatsStrip />
      </div>
    </div>
  );
};
