import { useEffect } from 'react';
import type { UseFormWatch } from 'react-hook-form';
import { type AdValues, EMPTY_AD } from '../../features/ads/ad-form/ad-values.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

const KEY = 'draft:ad';

/** The texts of an unfinished ad, kept for the tab's life: they survive a reload and a trip to sign-in. */
export const readDraft = (): AdValues => {
  try {
    return { ...EMPTY_AD, ...JSON.parse(readStored('sessionStorage', KEY) ?? '{}') };
  } catch {
    return EMPTY_AD;
  }
};

export const clearDraft = (): void => writeStored('sessionStorage', KEY, null);

/** Stores the texts while they are typed. */
export const useStoredDraft = (watch: UseFormWatch<AdValues>): void => {
  useEffect(() => {
    const { unsubscribe } = watch((values) => writeStored('sessionStorage', KEY, JSON.stringify(values)));
    return unsubscribe;
  }, [watch]);
};
