import { clsx as cn } from 'clsx';
import { Link, useSearchParams } from 'react-router-dom';
import { readFilters } from '../../../contract/filters.ts';
import { t } from '../../../contract/i18n.ts';
import { TITLES, toList } from '../../../contract/pages.ts';
import { type Category, getCategoryStats } from '../../../contract/stats.ts';
import { useApiQuery } from '../api/query.ts';
import { CategoryIcon } from '../features/ads/category-icon.tsx';
import { useCategories } from '../features/ads/use-categories.ts';
import { ListPage } from '../features/list/list-page.tsx';
import { PageTitle } from '../lib/site-config.tsx';
import { SkeletonRegion } from '../ui/feedback.tsx';
import { Query } from '../ui/query.tsx';

/** The tiles of all categories, or the list of one. */
export const CategoriesPage = () => {
  const { category } = readFilters(useSearchParams()[0]);
  return category ? <ListPage /> : <AllCategories />;
};

const POPULAR = 4;

export const AllCategories = () => {
  const categories = useCategories();
  const query = useApiQuery(getCategoryStats, { query: { by: 'slug' } });
  const toTiles = (counts: Partial<Record<string, number>>) => (
    <ul className={GRID}>
      {categories.map((category) => (
        <li key={category.slug}>
          <CategoryTile category={category} count={counts[category.slug]} />
        </li>
      ))}
    </ul>
  );
  return (
    <div className="container-page py-6 sm:py-10">
      <PageTitle title={TITLES.categories} />
      <h1 className="page-heading">{t('list.browseCategories')}</h1>
      <p className="mt-2 text-muted-foreground">{t('list.categoriesText')}</p>
      <Query of={query} failure={t('list.categoriesFailed')} loading={null}>
        {(counts) => <Popular categories={categories} counts={counts} />}
      </Query>
      <section aria-labelledby="all-categories" className="mt-10 grid gap-4">
        <h2 id="all-categories" className="text-2xl font-semibold">
          {t('list.allCategoriesTitle')}
        </h2>
        <Query
          of={query}
          failure={toTiles({})}
          loading={<SkeletonRegion className={GRID} boxes={categories.map(() => 'h-31 rounded-card')} />}
        >
          {toTiles}
        </Query>
      </section>
    </div>
  );
};

const GRID = 'grid grid-cols-2 gap-3 md:grid-cols-3 lg:grid-cols-5 lg:gap-4';

interface TileProps {
  category: Category;
  count: number | undefined;
  large?: boolean;
}

const CategoryTile = ({ category, count, large = false }: TileProps) => (
  <Link
    to={toList({ category: category.slug })}
    className={cn(
      'flex h-full flex-col gap-1 rounded-card border border-border p-4 transition-colors hover:border-input hover:bg-surface',
      large ? 'bg-accent/50 sm:p-6' : 'bg-card',
    )}
  >
    <CategoryIcon category={category} className={cn('text-link', large ? 'size-9' : 'size-7')} />
    <span className="mt-2 font-semibold">{category.name}</span>
    <span className="text-sm text-muted-foreground">{count === undefined ? '' : t('list.countAds', { count })}</span>
  </Link>
);

const Popular = ({ categories, counts }: { categories: Category[]; counts: Record<string, number> }) => {
  const popular = [...categories].sort((a, b) => (counts[b.slug] ?? 0) - (counts[a.slug] ?? 0)).slice(0, POPULAR);
  return (
    <section aria-labelledby="most-popular" className="mt-8 grid gap-4">
      <h2 id="most-popular" className="text-2xl font-semibold">
        {t('list.mostPopular')}
      </h2>
      <ul className="grid grid-cols-2 gap-3 lg:grid-cols-4 lg:gap-4">
        {popular.map((category) => (
          <li key={category.slug}>
            <CategoryTile category={category} count={counts[category.slug]} large />
          </li>
        ))}
      </ul>
    </section>
  );
};
