import { Link } from 'react-router-dom';
import { getCategoryStats } from '../../../../contract/stats.ts';
import { useCall } from '../../api/use-call.ts';
import { useCategories } from '../../features/ads/use-categories.ts';

const SHOWN = 8;
const CHIP = 'shrink-0 align-top sm:mr-2 sm:mb-2 sm:inline-block';

/** The most used categories, one tap away. */
export const CategoryChips = ({ chosen }: { chosen: string | undefined }) => {
  const categories = useCategories();
  const { data: counts = {} } = useCall(getCategoryStats, {});
  const popular = [...categories].sort((a, b) => (counts[b.name] ?? 0) - (counts[a.name] ?? 0)).slice(0, SHOWN);
  return (
    <nav aria-label="Popular categories" className="-mx-4 sm:mx-0">
      {/* Inline on wide screens: only such lines can be balanced, so that the last link never stands on one alone. */}
      <ul className="scrollbar-none flex gap-2 overflow-x-auto px-4 py-1 text-balance sm:-mr-2 sm:-mb-2 sm:block sm:px-0">
        {popular.map(({ slug, name, emoji }) => (
          <li key={slug} className={CHIP}>
            <Link
              to={`/?category=${encodeURIComponent(name)}`}
              preventScrollReset
              aria-current={chosen === name ? 'true' : undefined}
              className="flex min-h-11 md:min-h-10 items-center gap-2 rounded-full border border-border bg-card px-3.5 text-sm font-medium hover:border-input hover:bg-muted aria-[current]:border-primary aria-[current]:bg-accent aria-[current]:text-accent-foreground"
            >
              <span aria-hidden="true">{emoji}</span>
              {name}
            </Link>
          </li>
        ))}
        <li className={CHIP}>
          <Link
            to="/categories"
            className="flex min-h-11 md:min-h-10 items-center rounded-full px-3.5 text-sm font-medium text-primary hover:underline"
          >
            All categories
          </Link>
        </li>
      </ul>
    </nav>
  );
};
