import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSending } from '../../api/use-sending.ts';
import { type AdValues, EMPTY_AD, isSameAd } from '../../features/ads/ad-form/ad-values.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** The texts of an unfinished ad, kept for the tab's life: they survive a reload and a trip to sign-in. */
const readDraft = (key: string): AdValues => {
  try {
    return { ...EMPTY_AD, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return EMPTY_AD;
  }
};

/** The form with what the draft holds, though never with an ad that is on its way, and how to send it. */
export const useAdDraft = (key: string) => {
  const { isSending, send } = useSending(key);
  const [beganMeanwhile] = useState(isSending);
  const form = useForm<AdValues>({ defaultValues: beganMeanwhile ? EMPTY_AD : readDraft(key) });
  const { watch, reset, getValues } = form;
  useEffect(() => {
    const { unsubscribe } = watch((values) => writeStored('sessionStorage', key, JSON.stringify(values)));
    return unsubscribe;
  }, [key, watch]);
  useEffect(() => {
    // If it was refused, it is still a draft.
    if (beganMeanwhile && !isSending && isSameAd(getValues(), EMPTY_AD)) reset(readDraft(key));
  }, [beganMeanwhile, isSending, key, reset, getValues]);

  /** Forgets the draft once `work` has sent it, unless another ad was begun meanwhile. */
  const sendDraft = <Sent>(work: () => Promise<Sent>): Promise<Sent> =>
    send(async () => {
      const stored = readStored('sessionStorage', key);
      const sent = await work();
      if (readStored('sessionStorage', key) === stored) writeStored('sessionStorage', key, null);
      return sent;
    });
  return { form, sendDraft };
};
