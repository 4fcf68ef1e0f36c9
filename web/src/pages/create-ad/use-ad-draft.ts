import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSending } from '../../api/use-sending.ts';
import { keepAdDraft, readAdDraft } from '../../features/ads/ad-form/ad-draft.ts';
import { type AdValues, EMPTY_AD, isSameAd } from '../../features/ads/ad-form/ad-values.ts';
import { readStored } from '../../lib/storage.ts';

/**
 * The form with what the draft holds, though never with an ad that is on its way, and how to send it. The draft is kept for
 * the tab's life: it survives a reload and a trip to sign-in.
 */
export const useAdDraft = (key: string) => {
  const { isSending, send } = useSending(key);
  const [beganMeanwhile] = useState(isSending);
  const form = useForm<AdValues>({ defaultValues: beganMeanwhile ? EMPTY_AD : readAdDraft(key, EMPTY_AD) });
  const { watch, reset, getValues } = form;
  useEffect(() => {
    const { unsubscribe } = watch((values) => keepAdDraft(key, values));
    return unsubscribe;
  }, [key, watch]);
  useEffect(() => {
    // If it was refused, it is still a draft.
    if (beganMeanwhile && !isSending && isSameAd(getValues(), EMPTY_AD)) reset(readAdDraft(key, EMPTY_AD));
  }, [beganMeanwhile, isSending, key, reset, getValues]);

  /** Forgets the draft once `work` has sent it, unless another ad was begun meanwhile. */
  const sendDraft = <Sent>(work: () => Promise<Sent>): Promise<Sent> =>
    send(async () => {
      const stored = readStored('sessionStorage', key);
      const sent = await work();
      if (readStored('sessionStorage', key) === stored) keepAdDraft(key, null);
      return sent;
    });
  return { form, sendDraft };
};
