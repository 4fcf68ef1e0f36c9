import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { parseAmount } from '../../../../../contract/amount.ts';
import { type Filters, readFilters } from '../../../../../contract/pages.ts';
import { usePreHydrationValue } from '../../../hooks/use-hydrated.ts';

const PAUSE_MS = 400;

const trim = (typed: string): string => typed.trim();

/**
 * A field whose value, as `read` understands it, is applied when typing pauses, or immediately with Enter or when the field
 * loses the focus. External changes update the field.
 */
export const useDebouncedField = (applied: string, apply: (value: string) => void, read = trim) => {
  const [value, setValue] = useState(applied);
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined);
  const stopTimer = () => {
    clearTimeout(timerRef.current);
    timerRef.current = undefined;
  };

  useEffect(() => {
    // Keeps what the user has typed since, including a trailing space.
    if (timerRef.current === undefined) setValue((typed) => (read(typed) === applied ? typed : applied));
  }, [applied, read]);
  useEffect(() => () => clearTimeout(timerRef.current), []);

  const applyNow = (typed: string) => {
    stopTimer();
    if (read(typed) !== applied) apply(read(typed));
  };
  const applyRef = useRef(applyNow);
  useEffect(() => {
    applyRef.current = applyNow;
  });
  const change = (typed: string) => {
    setValue(typed);
    stopTimer();
    timerRef.current = setTimeout(() => applyRef.current(typed), PAUSE_MS);
  };
  // Must come after the effect above, which follows `applied`.
  const ref = usePreHydrationValue<HTMLInputElement>(applied, change);
  return {
    field: {
      ref,
      value,
      onChange: (event: { target: { value: string } }) => change(event.target.value),
      onKeyDown: (event: { key: string }) => {
        if (event.key === 'Enter') applyNow(value);
      },
      onBlur: () => {
        applyNow(value);
        setValue(read(value));
      },
    },
    clear: () => {
      stopTimer();
      setValue('');
    },
  };
};

const readPrice = (typed: string): string => parseAmount(typed) ?? typed.trim();

export const usePriceField = (applied: string, apply: (value: string) => void) =>
  useDebouncedField(applied, apply, readPrice);

export interface FilterEditorProps {
  filters: Filters;
  /** Use 'replace' while the user types, and 'push' for a choice. */
  onChange: (changes: Filters, history: 'push' | 'replace') => void;
  onClear: () => void;
  /** How many ads the filters find, as text; undefined while they are counted. */
  total: string | undefined;
}

/** The filters that leave ads out: not the order, and a place with its radius is one. */
export const listApplied = (filters: Filters): string[] =>
  Object.keys(filters).filter((name) => name !== 'sort' && name !== 'radius');

/** The filters after these changes, without details of another category and without distances to no place. */
export const applyChanges = (filters: Filters, changes: Filters): Filters => {
  const next = { ...filters, ...changes };
  const isOtherCategory = changes.category !== undefined && changes.category !== (filters.category ?? '');
  const isDropped = (name: string) =>
    (isOtherCategory && name.startsWith('d.')) ||
    (!next.near && (name === 'radius' || (name === 'sort' && next.sort === 'nearest')));
  return Object.fromEntries(Object.entries(next).filter(([name, value]) => value && !isDropped(name)));
};

/** The filters are stored in the URL, so that it can be shared and Back undoes a choice. */
export const useFilters = () => {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);

  // Two fields may be applied before the next render. The second change must build on the first.
  const latestRef = useRef(params);
  const shownRef = useRef(params);
  useEffect(() => {
    // At first, a field may already have applied what was chosen before hydration.
    if (shownRef.current !== params) latestRef.current = params;
    shownRef.current = params;
  }, [params]);

  /** Use 'replace' while the user types, and 'push' for a choice. */
  const setFilters = (changes: Filters, history: 'push' | 'replace' = 'push') => {
    const next = new URLSearchParams(latestRef.current);
    const before = readFilters(next);
    for (const name of Object.keys(before)) next.delete(name);
    for (const [name, value] of Object.entries(applyChanges(before, changes))) next.set(name, value);
    next.sort();
    latestRef.current = next;
    setParams(next, { replace: history === 'replace', preventScrollReset: true });
  };

  const clearFilters = () => {
    const applied = listApplied(readFilters(latestRef.current));
    setFilters(Object.fromEntries(applied.map((name) => [name, ''])));
  };
  return { filters, setFilters, clearFilters };
};

export const checkPrices = ({ minPrice = '', maxPrice = '' }: Filters): string | undefined => {
  const [min, max] = [parseAmount(minPrice), parseAmount(maxPrice)];
  if ((minPrice && min === undefined) || (maxPrice && max === undefined))
    return 'Prices must be numbers, such as 25 or 9.50';
  if (min && max && Number(min) > Number(max)) return 'The lowest price is above the highest';
  return undefined;
};
