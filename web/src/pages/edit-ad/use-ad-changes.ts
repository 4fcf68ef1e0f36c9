import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useSWRConfig } from 'swr';
import { type Ad, getAd, updateAd } from '../../../../contract/ads.ts';
import { urlOf } from '../../../../contract/boot.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { fetchCached } from '../../api/use-call.ts';
import type { useSending } from '../../api/use-sending.ts';
import { keepAdDraft, readAdDraft } from '../../features/ads/ad-form/ad-draft.ts';
import { type AdValues, isSameAd } from '../../features/ads/ad-form/ad-values.ts';
import { draftKey } from '../../lib/storage.ts';
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

  useEffect(() => {
    isOpen.current = true;
    const unsaved = readAdDraft(key, saved);
    keepAdDraft(key, null);
    if (!isSameAd(unsaved, saved)) {
      reset(unsaved, { keepDefaultValues: true });
      toast({ title: 'Your changes are back', description: 'They were sent, but perhaps not saved.' });
    }
    return () => {
      isOpen.current = false;
    };
  }, [key, saved, reset, toast]);

  const sendChanges = (values: AdValues, imageUrls: string[]): Promise<void> =>
    send(async () => {
      keepAdDraft(key, values);
      try {
        const updated = await call(updateAd, { params, body: { ...values, imageUrls } });
        keepAdDraft(key, null);
        await mutate(urlOf(getAd, { params }), updated, { revalidate: false });
      } catch (error) {
        // Where the server has not said so itself, the ad may be the new one.
        if (!(error instanceof ApiError && error.reply)) await readAgain();
        // A form that is still there has them itself.
        if (isOpen.current) keepAdDraft(key, null);
        throw error;
      }
    });
  const readAgain = () =>
    mutate(urlOf(getAd, { params }), fetchCached(getAd, { params }), { revalidate: false }).catch(() => {});

  return { form, saved, sendChanges, isLeft: () => !isOpen.current };
};
