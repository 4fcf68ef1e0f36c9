import { clsx as cn } from 'clsx';
import { ArrowLeft, SearchX, SlidersHorizontal } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { listAds } from '../../../contract/ads.ts';
import { TITLES, toList } from '../../../contract/pages.ts';
import { type Category, getCategoryStats } from '../../../contract/stats.ts';
import { useApiQuery, useInfiniteApiQuery } from '../api/query.ts';
import { AdList, SCROLL_TO_RESULTS } from '../features/ads/ad-list.tsx';
import { SortMenu } from '../features/ads/filters/sort-menu.tsx';
import { useFilters } from '../features/ads/filters/use-filters.ts';
import { useCategories } from '../features/ads/use-categories.ts';
import { useGoToPostAd } from '../features/auth/sign-in.tsx';
import type { SaveSearchProps } from '../features/saved-searches/save-search-button.tsx';
import { lazyWithRetry } from '../lib/chunks.ts';
import { formatTotal, pluralize } from '../lib/format.ts';
import { PageTitle } from '../lib/site-config.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { Badge } from '../ui/card.tsx';
import { EmptyState, ErrorState, SkeletonRegion } from '../ui/feedback.tsx';
import { InBrowser } from '../ui/in-browser.tsx';

const SaveSearchButton = lazyWithRetry<SaveSearchProps>(
  () => import('../features/saved-searches/save-search-button.tsx').then((module) => module.SaveSearchButton),
  () => null,
);

export const CategoriesPage = () => {
  const category = useSearchParams()[0].get('category')?.trim();
  return (
    <div className="container-page py-6 sm:py-10">
      {category ? <CategoryAds key={category} category={category} /> : <AllCategories />}
    </div>
  );
};

const POPULAR = 4;

export const AllCategories = () => {
  const categories = useCategories();
  const { data: counts, error, mutate } = useApiQuery(getCategoryStats, {});
  return (
    <>
      <PageTitle title={TITLES.categories} />
      <h1 className="page-heading">Browse Categories</h1>
      <p className="mt-2 text-muted-foreground">Find what you need, or see what your neighbors are letting go.</p>
      {error ? (
        <ErrorState title="Failed to fetch categories" onRetry={() => void mutate()} isAbove={counts !== undefined} />
      ) : null}
      {counts ? <Popular categories={categories} counts={counts} /> : null}
      <section aria-labelledby="all-categories" className="mt-10 grid gap-4">
        <h2 id="all-categories" className="text-2xl font-semibold">
          All Categories
        </h2>
        {counts || error ? (
          <ul className={GRID}>
            {categories.map((category) => (
              <li key={category.slug}>
                <CategoryTile category={category} count={counts?.[category.name]} />
              </li>
            ))}
          </ul>
        ) : (
          <SkeletonRegion className={GRID} boxes={categories.map(() => 'h-31 rounded-card')} />
        )}
      </section>
    </>
  );
};

const GRID = 'grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-5 lg:gap-4';

interface TileProps {
  category: Category;
  count: number | undefined;
  large?: boolean;
}

const CategoryTile = ({ category: { slug, name, emoji }, count, large = false }: TileProps) => (
  <Link
    to={`/categories?category=${encodeURIComponent(slug)}`}
    className={cn(
      'flex h-full flex-col gap-1 rounded-card border border-border p-4 transition-colors hover:border-input hover:bg-surface',
      large ? 'bg-accent/50 sm:p-6' : 'bg-card',
    )}
  >
    <span aria-hidden="true" className={cn('leading-none', large ? 'text-4xl' : 'text-[1.75rem]')}>
      {emoji}
    </span>
    <span className="mt-2 font-semibold">{name}</span>
    <span className="text-sm text-muted-foreground">{count === undefined ? '' : pluralize(count, 'ad')}</span>
  </Link>
);

const Popular = ({ categories, counts }: { categories: Category[]; counts: Record<string, number> }) => {
  const popular = [...categories].sort((a, b) => (counts[b.name] ?? 0) - (counts[a.name] ?? 0)).slice(0, POPULAR);
  return (
    <section aria-labelledby="most-popular" className="mt-8 grid gap-4">
      <h2 id="most-popular" className="text-2xl font-semibold">
        Most Popular
      </h2>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
        {popular.map((category) => (
          <li key={category.slug}>
            <CategoryTile category={category} count={counts[category.name]} large />
          </li>
        ))}
      </ul>
    </section>
  );
};

export const CategoryAds = ({ category }: { category: string }) => {
  const known = useCategories().find(({ slug }) => slug === category);
  const name = known?.name ?? category;
  const { filters, setFilters } = useFilters();
  const { sort } = filters;
  const pages = useInfiniteApiQuery(listAds, { query: { category, sort } }, { keepPreviousData: true });
  const postAd = useGoToPostAd();
  const total = pages.total ?? pages.items?.length ?? 0;
  return (
    <>
      <PageTitle title={TITLES.category(name)} />
      <LinkButton to="/categories" variant="ghost" className="-ml-3">
        <ArrowLeft />
        Back to Categories
      </LinkButton>
      <header className="mt-3 mb-6 flex flex-wrap items-center gap-3">
        <h1 className="page-heading">
          {known ? <span aria-hidden="true">{known.emoji} </span> : null}
          {name}
        </h1>
        <span role="status">
          {pages.error ? <Badge variant="destructive">Error loading ads</Badge> : null}
          {pages.items ? (
            <Badge variant="accent">
              {formatTotal(total, pages.totalExact)} {total === 1 ? 'ad' : 'ads'} found
            </Badge>
          ) : null}
        </span>
        {known ? (
          <div className="min-h-11 max-sm:w-full sm:ml-auto md:min-h-10">
            <InBrowser>
              <SaveSearchButton filters={{ category }} />
            </InBrowser>
          </div>
        ) : null}
      </header>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <LinkButton to={toList({ category, sort: sort ?? '' })} state={SCROLL_TO_RESULTS} variant="outline">
          <SlidersHorizontal />
          More filters
        </LinkButton>
        <SortMenu filters={filters} onChange={setFilters} />
      </div>
      <h2 className="sr-only">Ads in {name}</h2>
      <AdList
        pages={pages}
        skeletons={8}
        empty={
          <EmptyState icon={SearchX} title={`No ads found in ${name}`} text="Be the first to offer something here.">
            <Button onClick={postAd}>Post Your Ad</Button>
          </EmptyState>
        }
      />
    </>
  );
};
