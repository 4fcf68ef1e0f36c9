import { listAds } from '../../../../../contract/ads.ts';
import { formatDistance } from '../../../../../contract/distance.ts';
import { applyChanges, type Filters, isDetailFilter, RADIUSES } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { useApiQuery } from '../../../api/query.ts';
import { formatTotal } from '../../../lib/format.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { Button } from '../../../ui/button.tsx';
import { useAppliedFilters } from './applied-filters.tsx';

interface LooserSearchesProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
}

interface Search {
  text: string;
  changes: Filters;
  /** Offered if this one finds nothing either. */
  otherwise?: Search | undefined;
}

const MAX_SEARCHES = 5;

/** Which filter to loosen when nothing is found, each with the number of ads that this would bring. */
export const LooserSearches = ({ filters, onChange }: LooserSearchesProps) => {
  const { distanceUnit } = useSiteConfig();
  const applied = useAppliedFilters(filters);
  const { near, radius } = filters;
  const wider = near && radius ? RADIUSES.filter((other) => Number(other) > Number(radius)) : [];
  const details = Object.keys(filters).filter(isDetailFilter);
  const searches: Search[] = [];
  for (const other of wider.toReversed()) {
    const search = {
      text: t('filters.within', { distance: formatDistance(other, distanceUnit) }),
      changes: { radius: String(other) },
    };
    searches[0] = { ...search, otherwise: searches[0] };
  }
  if (details.length > 0)
    searches.push({
      text: t('filters.withoutDetails'),
      changes: Object.fromEntries(details.map((name) => [name, ''])),
    });
  // the words that are searched for come in quotation marks already
  for (const { label, without } of applied)
    searches.push({
      text: t('filters.without', { filter: ('search' in without && filters.search) || label }),
      changes: without,
    });
  // without its only filter, a search is no search
  if (searches.length < 2) return null;
  return (
    <ul className="flex flex-wrap justify-center gap-2">
      {searches.slice(0, MAX_SEARCHES).map((search) => (
        <LooserSearch key={search.text} search={search} filters={filters} onChange={onChange} />
      ))}
    </ul>
  );
};

const LooserSearch = ({ search, filters, onChange }: LooserSearchesProps & { search: Search }) => {
  const { text, changes, otherwise } = search;
  const { data } = useApiQuery(listAds, { query: { ...applyChanges(filters, changes), limit: '1' } });
  const total = data?.total ?? 0;
  if (data && total === 0 && otherwise)
    return <LooserSearch search={otherwise} filters={filters} onChange={onChange} />;
  if (total === 0) return null;
  return (
    <li>
      <Button variant="outline" size="sm" onClick={() => onChange(changes)}>
        {t('filters.adsWith', {
          ads: t('list.countAds', { count: formatTotal(total, data?.totalExact ?? true) }),
          change: text,
        })}
      </Button>
    </li>
  );
};
