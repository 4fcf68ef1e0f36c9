import { Link } from 'react-router-dom';
import type { Filters } from '../../../../contract/filters.ts';
import { t } from '../../../../contract/i18n.ts';
import { toList } from '../../../../contract/pages.ts';
import { suggestSearches } from '../../../../contract/search.ts';
import type { Category } from '../../../../contract/stats.ts';
import { useApiQuery } from '../../api/query.ts';
import { useList } from '../../hooks/use-list.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Rich } from '../../ui/rich.tsx';
import type { AdPages } from '../ads/ad-list.tsx';
import { CategoryIcon } from '../ads/category-icon.tsx';
import { LooserSearches } from '../ads/filters/looser-searches.tsx';
import { usePopularCategories } from '../ads/use-categories.ts';
import { useGoToPostAd } from '../auth/sign-in.tsx';
import { SaveSearchButton } from '../saved-searches/save-search-button.tsx';

/** What a list shows only with filters, in one chunk of its own. */
export { SaveSearchButton };

const MAX_CATEGORIES = 4;

interface NothingFoundProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
  onClear: () => void;
}

/** What one can do where filters find nothing. */
export const NothingFound = ({ filters, onChange, onClear }: NothingFoundProps) => {
  const postAd = useGoToPostAd();
  return (
    <>
      {filters.category ? <Button onClick={postAd}>{t('filters.postYourAd')}</Button> : null}
      <LooserSearches filters={filters} onChange={onChange} />
      <OtherCategories filters={filters} />
      <Button variant="outline" onClick={onClear}>
        {t('filters.clearFilters')}
      </Button>
      <SaveSearchButton filters={filters} isExplained />
    </>
  );
};

/** The nearest categories: those that have ads with the words, those with such a name, then those with most ads. */
const OtherCategories = ({ filters: { category: chosen, search = '' } }: { filters: Filters }) => {
  const popular = usePopularCategories();
  const { data: near } = useApiQuery(suggestSearches, search ? { query: { search } } : null);
  const having = new Set(near?.inCategories?.map(({ categorySlug }) => categorySlug));
  const slugs = new Set([...having, ...(near?.categories ?? []).map(({ slug }) => slug)]);
  const rank = ({ slug }: Category) => [...slugs, slug].indexOf(slug);
  const others = popular.filter(({ slug }) => slug !== chosen).toSorted((a, b) => rank(a) - rank(b));
  return (
    <nav aria-label={t('filters.otherCategories')} className="flex w-full flex-wrap justify-center gap-2">
      {others.slice(0, MAX_CATEGORIES).map((category) => (
        <LinkButton
          key={category.slug}
          to={toList(having.has(category.slug) ? { category: category.slug, search } : { category: category.slug })}
          variant="secondary"
          size="sm"
        >
          <CategoryIcon category={category} className="size-4" />
          {category.name}
        </LinkButton>
      ))}
    </nav>
  );
};

interface SearchNoteProps {
  filters: Filters;
  pages: Pick<AdPages, 'page' | 'isLoading'>;
}

/** What the listed ads are, if they are not those with all the words as typed. */
export const SearchNote = ({ filters, pages: { page, isLoading } }: SearchNoteProps) => {
  const { toChanged } = useList();
  // until they are there, the ads on screen are of another search
  if (!page || isLoading) return null;
  if (page.match === 'some') return <p>{t('filters.someWords')}</p>;
  if (page.search === undefined) return null;
  return (
    <p className="wrap-anywhere">
      <Rich
        text={t('filters.showingFor', { search: page.search })}
        b={(search) => <b className="font-semibold">{search}</b>}
      />{' '}
      <Link to={toChanged({ exact: 'true' })} className="py-1 font-semibold text-link">
        {t('filters.searchInstead', { search: filters.search ?? '' })}
      </Link>
    </p>
  );
};
