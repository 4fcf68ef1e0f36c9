import { useEffect } from 'react';
import type { UseFormWatch } from 'react-hook-form';
import { type AdValues, EMPTY_AD } from '../../features/ads/ad-form/ad-values.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** The texts of an unfinished ad, kept for the tab's life: they survive a reload and a trip to sign-in. */
export const readDraft = (key: string): AdValues => {
  try {
    return { ...EMPTY_AD, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return EMPTY_AD;
  }
};

const TAKEN = '{}';

/** Takes the texts out of the tab while they are sent, so that no second form begins with an ad that is on its way. */
export const takeDraft = (key: string): void => writeStored('sessionStorage', key, TAKEN);

/** Puts back what could not be sent, unless another ad was begun or the session ended meanwhile. */
export const returnDraft = (key: string, values: AdValues): void => {
  if (readStored('sessionStorage', key) === TAKEN) writeStored('sessionStorage', key, JSON.stringify(values));
};

/** Stores the texts while they are typed. */
export const useStoredDraft = (key: string, watch: UseFormWatch<AdValues>): void => {
  useEffect(() => {
    const { unsubscribe } = watch((values) => writeStored('sessionStorage', key, JSON.stringify(values)));
    return unsubscribe;
  }, [key, watch]);
};
