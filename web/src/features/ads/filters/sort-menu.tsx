import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';
import { SORTS } from '../../../../../contract/ads.ts';
import type { Filters } from '../../../../../contract/pages.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { Field, NativeSelect } from '../../../ui/form-controls.tsx';

const KEY = 'sort';

interface SortMenuProps {
  filters: Filters;
  onChange: (changes: Filters, history: 'push' | 'replace') => void;
}

/** Of the address with which the browser opened the site. */
const FIRST_KEY = 'default';

/** The order of a list. The choice lasts for the session: a list without one gets the last chosen order. */
export const SortMenu = ({ filters: { sort, near }, onChange }: SortMenuProps) => {
  const { key } = useLocation();
  const isPop = useNavigationType() === 'POP';
  const isShownRef = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever an address names no order
  useEffect(() => {
    // Back undoes a choice, also one that was made in the first address.
    const isBack = isPop && (isShownRef.current || key !== FIRST_KEY);
    isShownRef.current = true;
    if (sort !== undefined || isBack) return;
    const last = readStored('sessionStorage', KEY);
    if (last !== null && last in SORTS) onChange({ sort: last }, 'replace');
  }, [sort]);

  const choose = (chosen: string) => {
    // an order by distance needs the place of its list
    const isKept = chosen !== 'newest' && chosen !== 'nearest';
    writeStored('sessionStorage', KEY, isKept ? chosen : null);
    onChange({ sort: chosen === 'newest' ? '' : chosen }, 'push');
  };
  const offered = Object.entries(SORTS).filter(([name]) => name !== 'nearest' || near);
  return (
    <Field label="Sort by" hideLabel className="min-w-[min(11rem,100%)]">
      <NativeSelect value={sort ?? 'newest'} options={offered} onChange={(event) => choose(event.target.value)} />
    </Field>
  );
};
