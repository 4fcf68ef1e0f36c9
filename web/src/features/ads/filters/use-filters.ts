import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { FILTER_NAMES, type Filters, readFilters } from '../../../../../contract/ad-filters.ts';

/** The filters are stored in the URL, so that it can be shared and Back undoes a choice. */
export const useFilters = () => {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);

  // Two fields may be applied before the next render. The second change must build on the first.
  const latestRef = useRef(params);
  useEffect(() => {
    latestRef.current = params;
  }, [params]);

  /** Use 'replace' while the user types, and 'push' for a choice. */
  const setFilters = (changes: Filters, history: 'push' | 'replace' = 'push') => {
    const next = new URLSearchParams(latestRef.current);
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    next.sort();
    latestRef.current = next;
    setParams(next, { replace: history === 'replace', preventScrollReset: true });
  };

  const clearFilters = () => setFilters(Object.fromEntries(FILTER_NAMES.map((name) => [name, ''])));
  return { filters, setFilters, clearFilters };
};

const PRICE = /^\d{1,8}(\.\d{1,2})?$/;

export const checkPrices = ({ minPrice = '', maxPrice = '' }: Filters): string | undefined => {
  if ((minPrice && !PRICE.test(minPrice)) || (maxPrice && !PRICE.test(maxPrice)))
    return 'Prices must be numbers, such as 25 or 9.50';
  if (minPrice && maxPrice && Number(minPrice) > Number(maxPrice)) return 'The lowest price is above the highest';
  return undefined;
};
