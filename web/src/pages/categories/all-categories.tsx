import { Link } from 'react-router-dom';
import { type Category, getCategoryStats } from '../../../../contract/stats.ts';
import { useCall } from '../../api/use-call.ts';
import { useCategories } from '../../features/ads/use-categories.ts';
import { PageTitle } from '../../features/site/page-title.tsx';
import { cn } from '../../lib/cn.ts';
import { pluralize } from '../../lib/format-count.ts';
import { Failure } from '../../ui/empty.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/skeleton.tsx';

const POPULAR = 4;

export const AllCategories = () => {
  const categories = useCategories();
  const { data: counts, error, mutate } = useCall(getCategoryStats, {});
  return (
    <>
      <PageTitle title="Browse Categories" />
      <h1 className="text-3xl font-semibold tracking-tight md:text-4xl">Browse Categories</h1>
      <p className="mt-2 text-muted-foreground">Find what you need, or see what your neighbors are letting go.</p>
      {error ? <Failure title="Failed to fetch categories" onRetry={() => void mutate()} /> : null}
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
          <SkeletonRegion className={GRID}>
            {categories.map(({ slug }) => (
              <Skeleton key={slug} className="h-31 rounded-card" />
            ))}
          </SkeletonRegion>
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

const CategoryTile = ({ category: { name, emoji }, count, large = false }: TileProps) => (
  <Link
    to={`/categories?category=${encodeURIComponent(name)}`}
    className={cn(
      'flex h-full flex-col gap-1 rounded-card border border-border bg-card p-4 transition-colors hover:border-input hover:bg-surface',
      large && 'bg-accent/50 sm:p-6',
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
