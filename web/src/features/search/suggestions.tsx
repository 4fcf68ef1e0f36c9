import { Clock, Search } from 'lucide-react';
import type { RefObject } from 'react';
import { t } from '../../../../contract/i18n.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { type Suggestions, suggestSearches } from '../../../../contract/search.ts';
import { useApiQuery } from '../../api/query.ts';
import { CategoryIcon } from '../../features/ads/category-icon.tsx';
import { useDebouncedValue } from '../../hooks/use-debounced-value.ts';
import { forgetSearch, useRecentSearches } from '../../lib/recent-searches.ts';
import { type Option, OptionList } from '../../ui/combobox.tsx';
import { CategoryName } from '../ads/use-categories.ts';

interface SuggestionListProps {
  field: RefObject<HTMLInputElement | null>;
  id: string;
  text: string;
  onSearch: (search: string) => void;
  /** The whole category, or the search within it. */
  onCategory: (slug: string, search?: string) => void;
}

const MOST_SEARCHES = 3;
const MOST_RECENT = 2;

/** More were not counted. */
const formatCount = (count: number): string => (count < LIMITS.suggestionSample ? String(count) : `${count}+`);

const listRecent = (searches: readonly string[], { onSearch }: SuggestionListProps): Option[] =>
  searches.map((search) => ({
    key: `recent ${search}`,
    content: (
      <>
        <Clock className="size-4 shrink-0 text-muted-foreground" />
        <span className="min-w-0 truncate">{search}</span>
      </>
    ),
    choose: () => onSearch(search),
    remove: () => forgetSearch(search),
  }));

const listSuggested = ({ searches, inCategories, categories }: Suggestions, props: SuggestionListProps): Option[] => [
  ...searches.slice(0, MOST_SEARCHES).map((search) => ({
    key: search,
    content: <SearchOption search={search} typed={props.text.trim()} />,
    choose: () => props.onSearch(search),
  })),
  // a replica of the previous release does not answer them
  ...(inCategories ?? []).map(({ search, category, categorySlug, count }) => ({
    key: `${search} in ${categorySlug}`,
    content: (
      <>
        <Search className="size-4 shrink-0 text-muted-foreground" />
        <span className="min-w-0 truncate">
          {search} <span className="text-muted-foreground">{t('filters.in')}</span>{' '}
          <CategoryName slug={categorySlug} name={category} />{' '}
          <span className="text-muted-foreground">· {formatCount(count)}</span>
        </span>
      </>
    ),
    choose: () => props.onCategory(categorySlug, search),
  })),
  ...categories.map((category) => ({
    key: `in ${category.slug}`,
    content: (
      <>
        <CategoryIcon category={category} className="size-4" />
        <span className="min-w-0 truncate">
          <CategoryName {...category} />
        </span>
        <span className="ms-auto text-xs text-muted-foreground">{t('list.category')}</span>
      </>
    ),
    choose: () => props.onCategory(category.slug),
  })),
];

/** Suggestions under the search field. A separate chunk, loaded when the user types. */
export const SuggestionList = (props: SuggestionListProps) => {
  const { field, id, text } = props;
  const recent = useRecentSearches(text).slice(0, MOST_RECENT);
  const suggested = useSuggestions(text);
  const searches = suggested.searches.filter((search) => !recent.includes(search));
  const options = [...listRecent(recent, props), ...listSuggested({ ...suggested, searches }, props)];
  return <OptionList field={field} id={id} label={t('filters.suggestions')} mayOpen options={options} />;
};

const SearchOption = ({ search, typed }: { search: string; typed: string }) => {
  const goesOn = search.toLowerCase().startsWith(typed.toLowerCase());
  return (
    <>
      <Search className="size-4 shrink-0 text-muted-foreground" />
      <span className="min-w-0 truncate">
        {goesOn ? search.slice(0, typed.length) : ''}
        <b className="font-semibold">{goesOn ? search.slice(typed.length) : search}</b>
      </span>
    </>
  );
};

const PAUSE_MS = 120;
const NONE: Suggestions = { searches: [], categories: [], inCategories: [] };

/** The server's suggestions for the text once typing pauses. The search works without suggestions. */
const useSuggestions = (text: string): Suggestions => {
  const search = useDebouncedValue(text.trim(), PAUSE_MS, '');
  const target = search ? { query: { search } } : null;
  const { data, error } = useApiQuery(suggestSearches, target, { keepPreviousData: true });
  return error || !search || !data ? NONE : data;
};
