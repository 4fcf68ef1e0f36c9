import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { listAds } from '../../../../contract/ads.ts';
import { listApplied } from '../../../../contract/filters.ts';
import { TITLES } from '../../../../contract/pages.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { formatTotal, pluralize } from '../../lib/format.ts';
import { PageTitle } from '../../lib/site-config.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { InBrowser } from '../../ui/in-browser.tsx';
import { AdList, useScrollToResults } from '../ads/ad-list.tsx';
import { useFilterNames } from '../ads/filters/applied-filters.tsx';
import { CategoryChips, FilterChips } from '../ads/filters/filter-chips.tsx';
import { FilterPanel } from '../ads/filters/filter-panel.tsx';
import { SortMenu } from '../ads/filters/sort-menu.tsx';
import { checkPrices, useFilters } from '../ads/filters/use-filters.ts';
import { useCategories } from '../ads/use-categories.ts';
import { useGoToPostAd } from '../auth/sign-in.tsx';
import type { SaveSearchProps } from '../saved-searches/save-search-button.tsx';
import type { DidYouMeanProps, NothingFoundProps } from './found-little.tsx';

/** Below this number of results (one page), a word may be misspelled. */
const FEW = 24;

const loadFoundLittle = () => import('./found-little.tsx');
const DidYouMean = lazyWithRetry<DidYouMeanProps>(
  () => loadFoundLittle().then((module) => module.DidYouMean),
  () => null,
);
const NothingFound = lazyWithRetry<NothingFoundProps>(
  () => loadFoundLittle().then((module) => module.NothingFound),
  () => null,
);

const SaveSearchButton = lazyWithRetry<SaveSearchProps>(
  () => import('../saved-searches/save-search-button.tsx').then((module) => module.SaveSearchButton),
  () => null,
);

/** The list of ads with all filters, for every address of a list. With a filter it has a heading instead of the headline, `children`. */
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
  const total = pages.data ? formatTotal(pages.total ?? pages.data.length, pages.totalExact) : undefined;
  const isFiltered = listApplied(filters).length > 0;
  const counted = total && pluralize(total, 'result');
  const title = TITLES.results(filters, names);
  const isOfCategory = category && title === category;
  const badge = pages.error ? 'Error loading ads' : total && `${pluralize(total, 'ad')} found`;
  const Heading = isFiltered ? 'h1' : 'h2';
  return (
    <>
      <PageTitle title={TITLES.list(filters, names)} />
      {isFiltered ? null : children}
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
          <section ref={results} aria-labelledby="results" className="grid grid-cols-1 gap-4">
            <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-3">
              <Heading id="results" className="text-2xl font-semibold wrap-anywhere">
                {isOfCategory ? <span aria-hidden="true">{known?.emoji} </span> : null}
                {isFiltered
                  ? (title ?? <span aria-live="polite">{counted ?? 'Results'}</span>)
                  : filters.sort && filters.sort !== 'newest'
                    ? 'Ads'
                    : 'Latest Ads'}
              </Heading>
              <p role="status" className="grow text-sm text-muted-foreground tabular-nums">
                {isOfCategory && badge ? <Badge variant={pages.error ? 'destructive' : 'accent'}>{badge}</Badge> : null}
                {isOfCategory || !counted ? null : isFiltered ? title && counted : `Showing ${counted}`}
              </p>
              {category ? (
                <LinkButton to="/categories" variant="ghost">
                  Back to Categories
                </LinkButton>
              ) : null}
              <SortMenu filters={filters} onChange={setFilters} />
            </header>
            <FilterChips filters={filters} onRemove={setFilters}>
              {isValid && pages.data?.length !== 0 ? (
                // as large as the button, so that nothing moves when it appears
                <div className="min-h-11 min-w-[min(11.5rem,100%)] max-w-full md:min-h-10">
                  <InBrowser>
                    <SaveSearchButton filters={filters} />
                  </InBrowser>
                </div>
              ) : null}
            </FilterChips>
            {filters.search && !pages.isLoading && (pages.total ?? FEW) < FEW ? (
              <InBrowser>
                <DidYouMean filters={filters} search={filters.search} />
              </InBrowser>
            ) : null}
            {/* the cards' headings are of level 3 */}
            {isFiltered ? <h2 className="sr-only">Ads</h2> : null}
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
                  {isFiltered ? (
                    <InBrowser>
                      <NothingFound filters={filters} onChange={setFilters} onClear={clearFilters} />
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
