import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type AdValues, EMPTY_AD } from '../../features/ads/ad-form/ad-values.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** The texts of an unfinished ad, kept for the tab's life: they survive a reload and a trip to sign-in. */
const readDraft = (key: string): AdValues => {
  try {
    return { ...EMPTY_AD, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return EMPTY_AD;
  }
};

export const clearDraft = (key: string): void => writeStored('sessionStorage', key, null);

/** Restores the texts and stores them while they are typed. What was restored is no less unsaved than what is typed now. */
export const useStoredDraft = (key: string, { reset, watch }: UseFormReturn<AdValues>): void => {
  useEffect(() => {
    reset(readDraft(key), { keepDefaultValues: true });
    const { unsubscribe } = watch((values) => writeStored('sessionStorage', key, JSON.stringify(values)));
    return unsubscribe;
  }, [key, reset, watch]);
};
