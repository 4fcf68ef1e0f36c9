import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSWRConfig } from 'swr';
import { type Ad, getAd, updateAd } from '../../../../contract/ads.ts';
import { urlOf } from '../../../../contract/boot.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { fetchCached } from '../../api/use-call.ts';
import type { useSending } from '../../api/use-sending.ts';
import { readAdDraft } from '../../features/ads/ad-form/ad-draft.ts';
import { type AdValues, isSameAd } from '../../features/ads/ad-form/ad-values.ts';
import { draftKey, writeStored } from '../../lib/storage.ts';
import { useToast } from '../../ui/toast/toast-context.ts';

const valuesOf = (ad: Ad): AdValues => ({
  title: ad.title,
  description: ad.description,
  price: String(Number(ad.price)),
  category: ad.category,
  location: ad.location ?? '',
  externalLink: ad.externalLink ?? '',
  allowMessages: ad.allowMessages,
});

/**
 * The form of an ad, and how to send it. The tab keeps the texts that are on their way: if they are refused after the form
 * was left, they are in it when it is next opened.
 */
export const useAdChanges = (ad: Ad, send: ReturnType<typeof useSending>['send']) => {
  const [saved] = useState(() => valuesOf(ad));
  const form = useForm<AdValues>({ defaultValues: saved });
  const isOpen = useRef(true);
  const { mutate } = useSWRConfig();
  const toast = useToast();
  const { reset } = form;
  const params = { id: ad.id };
  const key = draftKey(ad.userId, `ad:${ad.id}`);
  const keep = (values: AdValues | null) => writeStored('sessionStorage', key, values && JSON.stringify(values));

  useEffect(() => {
    isOpen.current = true;
    const unsaved = readAdDraft(key, saved);
    writeStored('sessionStorage', key, null);
    if (!isSameAd(unsaved, saved)) {
      reset(unsaved, { keepDefaultValues: true });
      toast({ title: 'Not saved yet', description: 'These are the changes to this ad that could not be saved.' });
    }
    return () => {
      isOpen.current = false;
    };
  }, [key, saved, reset, toast]);

  const sendChanges = (values: AdValues, imageUrls: string[]): Promise<void> =>
    send(async () => {
      keep(values);
      try {
        const updated = await call(updateAd, { params, body: { ...values, imageUrls } });
        keep(null);
        await mutate(urlOf(getAd, { params }), updated, { revalidate: false });
      } catch (error) {
        if (isOpen.current) keep(null);
        // Where the server has not said so itself, the ad may be the new one.
        if (!(error instanceof ApiError && error.reply)) await readAgain();
        throw error;
      }
    });
  const readAgain = () =>
    mutate(urlOf(getAd, { params }), fetchCached(getAd, { params }), { revalidate: false }).catch(() => {});

  return { form, saved, sendChanges, isLeft: () => !isOpen.current };
};
