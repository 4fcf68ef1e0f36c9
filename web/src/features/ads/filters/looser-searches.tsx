import { listAds, RADIUSES } from '../../../../../contract/ads.ts';
import type { Filters } from '../../../../../contract/pages.ts';
import { useApiQuery } from '../../../api/query.ts';
import { formatTotal } from '../../../lib/format.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { Button } from '../../../ui/button.tsx';
import { isDetailFilter, useAppliedFilters } from './applied-filters.tsx';
import { applyChanges } from './use-filters.ts';

export interface LooserSearchesProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
}

const MAX_SEARCHES = 5;

/** Which filter to loosen when nothing is found, each with the number of ads that this would bring. */
export const LooserSearches = ({ filters, onChange }: LooserSearchesProps) => {
  const { distanceUnit } = useSiteConfig();
  const applied = useAppliedFilters(filters);
  const { near, radius } = filters;
  const wider = near && radius ? RADIUSES.find((other) => Number(other) > Number(radius)) : undefined;
  const details = Object.keys(filters).filter(isDetailFilter);
  const searches: { text: string; changes: Filters }[] = [];
  if (wider) searches.push({ text: `within ${wider} ${distanceUnit}`, changes: { radius: wider } });
  if (details.length > 0)
    searches.push({ text: 'without details', changes: Object.fromEntries(details.map((name) => [name, ''])) });
  for (const { label, without } of applied)
    searches.push({ text: `without “${label.replace(/[“”]/g, '')}”`, changes: without });
  // without its only filter, a search is no search
  if (searches.length < 2) return null;
  return (
    <ul className="flex flex-wrap justify-center gap-2">
      {searches.slice(0, MAX_SEARCHES).map(({ text, changes }) => (
        <LooserSearch
          key={text}
          text={text}
          filters={applyChanges(filters, changes)}
          onChoose={() => onChange(changes)}
        />
      ))}
    </ul>
  );
};

const LooserSearch = ({ text, filters, onChoose }: { text: string; filters: Filters; onChoose: () => void }) => {
  const { data } = useApiQuery(listAds, { query: { ...filters, limit: '1' } });
  const total = data?.total ?? 0;
  if (total === 0) return null;
  return (
    <li>
      <Button variant="outline" size="sm" onClick={onChoose}>
        {formatTotal(total, data?.totalExact ?? true)} {total === 1 ? 'ad' : 'ads'} {text}
      </Button>
    </li>
  );
};
