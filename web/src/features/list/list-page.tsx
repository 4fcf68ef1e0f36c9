import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { listAds } from '../../../../contract/ads.ts';
import { listApplied } from '../../../../contract/filters.ts';
import { TITLES } from '../../../../contract/pages.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { formatTotal } from '../../lib/format.ts';
import { PageTitle } from '../../lib/site-config.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { InBrowser } from '../../ui/in-browser.tsx';
import { AdList, useScrollToResults } from '../ads/ad-list.tsx';
import { useFilterNames } from '../ads/filters/applied-filters.tsx';
import { CategoryChips, DidYouMean, FilterChips } from '../ads/filters/filter-chips.tsx';
import { FilterPanel } from '../ads/filters/filter-panel.tsx';
import type { LooserSearchesProps } from '../ads/filters/looser-searches.tsx';
import { SortMenu } from '../ads/filters/sort-menu.tsx';
import { checkPrices, useFilters } from '../ads/filters/use-filters.ts';
import { useCategories } from '../ads/use-categories.ts';
import { useGoToPostAd } from '../auth/sign-in.tsx';
import type { SaveSearchProps } from '../saved-searches/save-search-button.tsx';

const LooserSearches = lazyWithRetry<LooserSearchesProps>(
  () => import('../ads/filters/looser-searches.tsx').then((module) => module.LooserSearches),
  () => null,
);

const SaveSearchButton = lazyWithRetry<SaveSearchProps>(
  () => import('../saved-searches/save-search-button.tsx').then((module) => module.SaveSearchButton),
  () => null,
);

/** The list of ads with all filters, for every address of a list. A category takes the place of the headline, `children`. */
export const ListPage = ({ children }: { children?: ReactNode }) => {
  const { filters, setFilters, clearFilters } = useFilters();
  const names = useFilterNames(filters);
  const known = useCategories().find(({ slug }) => slug === filters.category);
  const { category } = names;
  const postAd = useGoToPostAd();
  const isValid = checkPrices(filters) === undefined;
  const pages = useInfiniteApiQuery(listAds, isValid ? { query: filters } : null, { keepPreviousData: true });
  const results = useScrollToResults();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const total = pages.items ? formatTotal(pages.total ?? pages.items.length, pages.totalExact) : undefined;
  const badge = pages.error ? 'Error loading ads' : total && `${total} ${total === '1' ? 'ad' : 'ads'} found`;
  return (
    <>
      <PageTitle title={TITLES.list(filters, names)} />
      {category ? (
        <div className="container-page pt-6">
          <LinkButton to="/categories" variant="ghost" className="-ml-3">
            Back to Categories
          </LinkButton>
          <h1 className="page-heading">
            <span aria-hidden="true">{known?.emoji} </span>
            {category}
          </h1>
          {badge ? <Badge variant={pages.error ? 'destructive' : 'accent'}>{badge}</Badge> : null}
        </div>
      ) : (
        children
      )}
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
                  title={category ? `No ads found in ${category}` : 'No ads found'}
                  text={
                    known && listApplied(filters).length === 1
                      ? 'Be the first to offer something here.'
                      : 'Try adjusting your search filters or check back later.'
                  }
                >
                  {category ? <Button onClick={postAd}>Post Your Ad</Button> : null}
                  {listApplied(filters).length > 0 ? (
                    <InBrowser>
                      <LooserSearches filters={filters} onChange={setFilters} />
                      <Button variant="outline" onClick={clearFilters}>
                        Clear filters
                      </Button>
                      <SaveSearchButton filters={filters} isExplained />
                    </InBrowser>
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
