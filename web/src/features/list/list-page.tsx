import { ArrowLeft, Search } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { listAds } from '../../../../contract/ads.ts';
import { listApplied, toListed } from '../../../../contract/filters.ts';
import { t } from '../../../../contract/i18n.ts';
import { TITLES } from '../../../../contract/pages.ts';
import { useInfiniteApiQuery } from '../../api/query.ts';
import { useFocusFallback } from '../../hooks/use-focus-fallback.ts';
import { lazyWithRetry } from '../../lib/chunks.ts';
import { formatTotal } from '../../lib/format.ts';
import { useRememberedPlace } from '../../lib/remembered-place.ts';
import { PageTitle } from '../../lib/site-config.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Badge } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/feedback.tsx';
import { InBrowser } from '../../ui/in-browser.tsx';
import { AdList, useScrollToResults } from '../ads/ad-list.tsx';
import { CategoryIcon } from '../ads/category-icon.tsx';
import { useFilterNames } from '../ads/filters/applied-filters.tsx';
import { CategoryChips, FilterChips } from '../ads/filters/filter-chips.tsx';
import { FilterPanel } from '../ads/filters/filter-panel.tsx';
import { SortMenu } from '../ads/filters/sort-menu.tsx';
import { checkPrices, useFilters } from '../ads/filters/use-filters.ts';
import { useCategories } from '../ads/use-categories.ts';

type OfFilters = typeof import('./of-filters.tsx');

/** What only lists with filters show. */
const lazyOfFilters = <Props extends object>(pick: (module: OfFilters) => ComponentType<Props>) =>
  lazyWithRetry(
    () => import('./of-filters.tsx').then(pick),
    () => null,
  );
const SearchNote = lazyOfFilters((module) => module.SearchNote);
const NothingFound = lazyOfFilters((module) => module.NothingFound);
const SaveSearchButton = lazyOfFilters((module) => module.SaveSearchButton);
const RememberedChip = lazyWithRetry(
  () => import('../places/remembered.tsx').then((module) => module.RememberedChip),
  () => null,
);

/** The list of ads with all filters, for every address of a list. Without filters, `children` is its headline. */
export const ListPage = ({ children }: { children?: ReactNode }) => {
  const { filters, chosen, isPending, setFilters, clearFilters } = useFilters();
  const listed = toListed(filters);
  const names = useFilterNames(filters);
  const known = useCategories().find(({ slug }) => slug === filters.category);
  const { category } = names;
  const isValid = checkPrices(filters) === undefined;
  const pages = useInfiniteApiQuery(listAds, isValid ? { query: listed } : null, { keepPreviousData: true });
  const results = useScrollToResults();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const total = pages.data ? formatTotal(pages.total ?? pages.data.length, pages.totalExact) : undefined;
  const count = { count: total ?? '' };
  const isFiltered = listApplied(listed).length > 0;
  const counted = total && t('list.countResults', count);
  const title = TITLES.results(listed, names);
  const isOfCategory = category && title === category;
  const badge = pages.error ? t('list.errorLoading') : total && t('list.adsFound', count);
  const place = useRememberedPlace();
  const headline = isFiltered ? null : children;
  const Heading = headline ? 'h2' : 'h1';
  return (
    <>
      <PageTitle title={TITLES.list(filters, names)} />
      <div className="container-page grid grid-cols-1 gap-2 py-2 md:gap-4 md:py-6">
        <FilterPanel
          filters={chosen}
          onChange={setFilters}
          onClear={clearFilters}
          total={pages.isLoading || isPending ? undefined : total}
        />
        <div className="scrollbar-none -mx-4 flex gap-2 overflow-x-auto px-4 md:m-[-4px] md:p-1">
          {place ? <RememberedChip place={place} filters={chosen} onChange={setFilters} /> : null}
          <CategoryChips />
        </div>
        {headline}
        {/* Gets the focus when the focused chip or button is removed. */}
        <div {...focusFallback} tabIndex={-1} className="outline-none">
          <section ref={results} aria-labelledby="results" className="grid grid-cols-1 gap-2 md:gap-4">
            <header className="flex flex-wrap items-center gap-x-3 md:gap-x-4">
              <div className="min-w-[min(8rem,100%)] flex-1 md:flex md:flex-wrap md:items-baseline md:gap-x-4">
                <Heading id="results" className="text-xl/7 font-semibold wrap-anywhere md:text-2xl">
                  {isOfCategory && known ? (
                    <CategoryIcon category={known} className="me-2 inline-block size-6 align-[-0.15em] max-md:hidden" />
                  ) : null}
                  {isFiltered
                    ? (title ?? <span aria-live="polite">{counted ?? t('list.results')}</span>)
                    : filters.sort && filters.sort !== 'newest'
                      ? t('list.ads')
                      : t('list.latestAds')}
                </Heading>
                <p role="status" className="text-sm text-muted-foreground tabular-nums">
                  {isOfCategory && badge ? (
                    <Badge variant={pages.error ? 'destructive' : 'accent'}>{badge}</Badge>
                  ) : null}
                  {isOfCategory || !counted ? null : isFiltered ? title && counted : t('list.showingResults', count)}
                </p>
              </div>
              {category ? (
                <LinkButton to="/categories" variant="ghost" className="max-md:-order-1 max-md:-mx-3 max-md:px-3">
                  <ArrowLeft className="md:hidden" />
                  <span className="max-md:sr-only">{t('list.backToCategories')}</span>
                </LinkButton>
              ) : null}
              <SortMenu filters={toListed(chosen)} onChange={setFilters} />
            </header>
            <FilterChips filters={chosen} onRemove={setFilters}>
              {isValid && pages.data?.length !== 0 && isFiltered ? (
                // as large as the button, so that nothing moves when it appears
                <div className="min-h-11 min-w-[min(11rem,100%)] md:min-h-10">
                  <InBrowser>
                    <SaveSearchButton filters={listed} />
                  </InBrowser>
                </div>
              ) : null}
            </FilterChips>
            {/* the cards' headings are of level 3 */}
            {headline ? null : <h2 className="sr-only">{t('list.ads')}</h2>}
            {/* There from the beginning: a screen reader announces what comes into it. */}
            <div role="status" className="contents">
              {listed !== filters ? (
                <p>{t('list.typeAWord')}</p>
              ) : isFiltered ? (
                <InBrowser>
                  <SearchNote filters={filters} pages={pages} />
                </InBrowser>
              ) : null}
            </div>
            <AdList
              pages={pages}
              skeletons={8}
              empty={
                <EmptyState
                  icon={Search}
                  title={category ? t('list.noAdsIn', { category }) : t('list.noAds')}
                  text={known && listApplied(filters).length === 1 ? t('list.firstToOffer') : t('list.tryOtherFilters')}
                >
                  {isFiltered ? (
                    <InBrowser>
                      <NothingFound filters={listed} onChange={setFilters} onClear={clearFilters} />
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
