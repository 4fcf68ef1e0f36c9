import { Link } from 'react-router-dom';
import { correctSearch } from '../../../../contract/search.ts';
import { useCall } from '../../api/use-call.ts';
import type { Filters } from './use-filters.ts';

/** Fewer ads than on one page: perhaps a word is misspelt. */
const FEW = 24;

/** Offers the search with its misspelt words put right, where it found little. */
export const DidYouMean = ({ filters, total }: { filters: Filters; total: number | null | undefined }) => {
  const { search, category } = filters;
  const isAsked = search !== undefined && typeof total === 'number' && total < FEW;
  const correction = useCall(correctSearch, isAsked ? { query: { search, category } } : null).data?.correction;
  if (!isAsked || !correction) return null;
  const corrected = new URLSearchParams({ ...filters, search: correction });
  return (
    <p role="status">
      Did you mean{' '}
      <Link
        to={`/?${corrected}`}
        className="inline-flex min-h-8 items-center font-semibold text-primary underline-offset-4 hover:underline"
      >
        {correction}
      </Link>
      ?
    </p>
  );
};
