import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { FILTER_NAMES, type Filters, readFilters } from '../../../../../contract/ad-filters.ts';

/** The filters live in the address: it can be shared, and Back undoes a choice. */
export const useFilters = () => {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);

  // Two fields may be applied before the page has been drawn again: the second builds on the first.
  const latest = useRef(params);
  latest.current = params;

  /** Typing replaces the address, a choice adds to the history. */
  const setFilters = (changes: Filters, how: 'push' | 'replace' = 'push') => {
    const next = new URLSearchParams(latest.current);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    next.sort();
    latest.current = next;
    setParams(next, { replace: how === 'replace', preventScrollReset: true });
  };

  const clearFilters = () => setFilters(Object.fromEntries(FILTER_NAMES.map((name) => [name, ''])));
  return { filters, setFilters, clearFilters };
};

const PRICE = /^\d{1,8}(\.\d{1,2})?$/;

/** What is wrong with a price range, in words; the server is not asked for such a one. */
export const checkPrices = ({ minPrice = '', maxPrice = '' }: Filters): string | undefined => {
  if ((minPrice && !PRICE.test(minPrice)) || (maxPrice && !PRICE.test(maxPrice)))
    return 'Prices must be numbers, such as 25 or 9.50';
  if (minPrice && maxPrice && Number(minPrice) > Number(maxPrice)) return 'The lowest price is above the highest';
  return undefined;
};
