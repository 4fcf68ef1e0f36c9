import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { parseAmount, readTyped } from '../../../../../contract/amount.ts';
import { nameAmounts } from '../../../../../contract/amount-rules.ts';
import { type Filters, listApplied, readFilters } from '../../../../../contract/filters.ts';
import { t } from '../../../../../contract/i18n.ts';
import { toList } from '../../../../../contract/pages.ts';
import { usePreHydrationValue } from '../../../hooks/use-hydrated.ts';
import { SCROLL_TO_RESULTS } from '../ad-list.tsx';

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

/** A choice on its way into the URL. */
interface Chosen {
  to: string;
  /** The addresses before it. */
  from: readonly string[];
}

/**
 * The filters are stored in the URL, so that it can be shared and Back undoes a choice. The page of another URL takes a while:
 * `chosen` has the choice at once, for the controls and for the next choice.
 */
export const useFilters = () => {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const here = pathname + search;
  const filters = readFilters(useSearchParams()[0]);
  const [choice, setChoice] = useState<Chosen>();
  const hasEnded = choice && (choice.to === here || !choice.from.includes(here));
  if (hasEnded) setChoice(undefined);
  const pending = hasEnded ? undefined : choice;
  const chosen = pending ? readFilters(new URLSearchParams(pending.to.split('?')[1])) : filters;

  /** Use 'replace' while the user types, and 'push' for a choice. */
  const setFilters = (changes: Filters, history: 'push' | 'replace' = 'push') => {
    const to = toList(chosen, changes, pathname);
    // The controls render before a second change can come, which builds on this one.
    flushSync(() => setChoice({ to, from: pending ? [...pending.from, pending.to] : [here] }));
    void navigate(to, { replace: history === 'replace', preventScrollReset: true, state: SCROLL_TO_RESULTS });
  };

  const clearFilters = () => setFilters(Object.fromEntries(listApplied(chosen).map((name) => [name, ''])));
  return { filters, chosen, setFilters, clearFilters };
};

export const checkPrices = ({ minPrice = '', maxPrice = '' }: Filters): string | undefined => {
  const [min, max] = [parseAmount(minPrice), parseAmount(maxPrice)];
  if ((minPrice && min === undefined) || (maxPrice && max === undefined))
    return t('list.pricesAreNumbers', nameAmounts());
  if (min && max && Number(min) > Number(max)) return t('list.lowestAboveHighest');
  return undefined;
};
