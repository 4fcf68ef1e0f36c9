import { useEffect, useState } from 'react';
import type { UseFormWatch } from 'react-hook-form';
import { useSending } from '../../api/use-sending.ts';
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

/** What the form begins with, never with an ad that is on its way, and how to send its draft. */
export const useAdDraft = (key: string) => {
  const { isSending, send } = useSending(key);
  const [draft] = useState(() => (isSending ? EMPTY_AD : readDraft(key)));
  /** Forgets the draft once `work` has sent it, unless another ad was begun meanwhile. */
  const sendDraft = <Sent>(work: () => Promise<Sent>): Promise<Sent> =>
    send(async () => {
      const stored = readStored('sessionStorage', key);
      const sent = await work();
      if (readStored('sessionStorage', key) === stored) writeStored('sessionStorage', key, null);
      return sent;
    });
  return { draft, sendDraft };
};

/** Stores the texts while they are typed. */
export const useStoredDraft = (key: string, watch: UseFormWatch<AdValues>): void => {
  useEffect(() => {
    const { unsubscribe } = watch((values) => writeStored('sessionStorage', key, JSON.stringify(values)));
    return unsubscribe;
  }, [key, watch]);
};
