import { useEffect } from 'react';
import type { UseFormWatch } from 'react-hook-form';
import { type AdValues, EMPTY_AD } from '../../features/ads/ad-form/ad-values.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** Drafts that are being sent. In memory alone: a page that ends meanwhile may have taken the request with it. */
const onTheirWay = new Set<string>();

/** The texts of an unfinished ad, kept for the tab's life: they survive a reload and a trip to sign-in. */
export const readDraft = (key: string): AdValues => {
  // no second form begins with an ad that is on its way
  if (onTheirWay.has(key)) return EMPTY_AD;
  try {
    return { ...EMPTY_AD, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return EMPTY_AD;
  }
};

/** Forgets the draft once `send` has sent it, unless another ad was begun meanwhile. */
export async function sendDraft<Sent>(key: string, send: () => Promise<Sent>): Promise<Sent> {
  const draft = readStored('sessionStorage', key);
  onTheirWay.add(key);
  try {
    const sent = await send();
    if (readStored('sessionStorage', key) === draft) writeStored('sessionStorage', key, null);
    return sent;
  } finally {
    onTheirWay.delete(key);
  }
}

/** Stores the texts while they are typed. */
export const useStoredDraft = (key: string, watch: UseFormWatch<AdValues>): void => {
  useEffect(() => {
    const { unsubscribe } = watch((values) => writeStored('sessionStorage', key, JSON.stringify(values)));
    return unsubscribe;
  }, [key, watch]);
};
