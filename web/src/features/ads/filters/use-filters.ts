import { useEffect, useRef, useState } from 'react';
import { parseAmount, readTyped } from '../../../../../contract/amount.ts';
import { nameAmounts } from '../../../../../contract/amount-rules.ts';
import type { Filters } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { usePreHydrationValue } from '../../../hooks/use-hydrated.ts';
import { useList } from '../../../hooks/use-list.ts';

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

export const usePriceField = (applied: string, apply: (value: string) => void) =>
  useDebouncedField(applied, apply, readTyped);

export interface FilterEditorProps {
  filters: Filters;
  /** Use 'replace' while the user types, and 'push' for a choice. */
  onChange: (changes: Filters, history: 'push' | 'replace') => void;
  onClear: () => void;
  /** How many ads the filters find, as text; undefined while they are counted. */
  total: string | undefined;
}

/** The filters are stored in the URL, so that it can be shared and Back undoes a choice. `chosen` has a choice at once. */
export const useFilters = () => {
  const { goTo, ...list } = useList();

  /** Use 'replace' while the user types, and 'push' for a choice. */
  const setFilters = (changes: Filters, history: 'push' | 'replace' = 'push') =>
    goTo(changes, { replace: history === 'replace', preventScrollReset: true });

  const clearFilters = () => goTo({}, { preventScrollReset: true }, true);
  return { ...list, setFilters, clearFilters };
};

export const checkPrices = ({ minPrice = '', maxPrice = '' }: Filters): string | undefined => {
  const [min, max] = [parseAmount(minPrice), parseAmount(maxPrice)];
  if ((minPrice && min === undefined) || (maxPrice && max === undefined))
    return t('list.pricesAreNumbers', nameAmounts());
  if (min && max && Number(min) > Number(max)) return t('list.lowestAboveHighest');
  return undefined;
};
