import { type NavigateOptions, useLocation } from 'react-router-dom';
import { type Filters, readFilters } from '../../../contract/filters.ts';
import { toList } from '../../../contract/pages.ts';
import { useNewestAddress } from './use-newest-address.ts';

/** Navigation state that requests the scroll of useScrollToResults. */
export const SCROLL_TO_RESULTS = { scrollsToResults: true };

const isList = (address: string): boolean => /^\/(categories)?(\?|$)/.test(address);

const readList = (address: string): Filters =>
  isList(address) ? readFilters(new URLSearchParams(address.split('?')[1])) : {};

/** The address of the list at this address after these changes, or of a new one that keeps only the order. */
export const changeList = (address: string, changes: Filters, isNew = false): string => {
  const { sort = '', ...filters } = readList(address);
  return toList(isNew ? { sort } : { ...filters, sort }, changes, address.split('?')[0]);
};

/**
 * The list that a person asked for last, and every way from it to another list. Without it each page, whose filters are one
 * choice behind while the next list loads, would make an address of its own, which loses that choice.
 */
export const useList = () => {
  const { pathname, search } = useLocation();
  const { newest, change } = useNewestAddress();
  const here = pathname + search;
  const listOf = (address: string) => (isList(address) ? address : here);
  const asked = listOf(newest);
  return {
    /** Of the page. */
    filters: readList(here),
    chosen: readList(asked),
    isPending: asked !== here,
    toChanged: (changes: Filters) => changeList(asked, changes),
    goTo: (changes: Filters, options?: NavigateOptions, isNew?: boolean) =>
      change((address) => changeList(listOf(address), changes, isNew), { state: SCROLL_TO_RESULTS, ...options }),
  };
};
