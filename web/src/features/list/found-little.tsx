import { Link, useLocation } from 'react-router-dom';
import type { Filters } from '../../../../contract/filters.ts';
import { toList } from '../../../../contract/pages.ts';
import { correctSearch } from '../../../../contract/search.ts';
import { useApiQuery } from '../../api/query.ts';
import { Button } from '../../ui/button.tsx';
import { LooserSearches } from '../ads/filters/looser-searches.tsx';
import { SaveSearchButton } from '../saved-searches/save-search-button.tsx';

export interface NothingFoundProps {
  filters: Filters;
  onChange: (changes: Filters) => void;
  onClear: () => void;
}

/** What one can do where filters find nothing. */
export const NothingFound = ({ filters, onChange, onClear }: NothingFoundProps) => (
  <>
    <LooserSearches filters={filters} onChange={onChange} />
    <Button variant="outline" onClick={onClear}>
      Clear filters
    </Button>
    <SaveSearchButton filters={filters} isExplained />
  </>
);

export interface DidYouMeanProps {
  filters: Filters;
  /** Its words. */
  search: string;
}

/** Offers the search put right, where it found so little that a word may be misspelled. */
export const DidYouMean = ({ filters, search }: DidYouMeanProps) => {
  const { pathname } = useLocation();
  const correction = useApiQuery(correctSearch, { query: { search, category: filters.category } }).data?.correction;
  if (!correction) return null;
  return (
    <p role="status">
      Did you mean{' '}
      <Link
        to={toList(filters, { search: correction }, pathname)}
        className="inline-flex min-h-8 items-center font-semibold text-link"
      >
        {correction}
      </Link>
      ?
    </p>
  );
};
