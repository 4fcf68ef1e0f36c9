import type { UseFormReturn } from 'react-hook-form';
import { importWithRetry } from '../../../lib/chunks.ts';
import { useSiteConfig } from '../../../lib/site-config.tsx';
import { type PhotoRules, usePhotos } from '../../photos/use-photos.ts';
import type { AdValues } from './ad-values.ts';

const loadSend = () => importWithRetry(() => import('./send-photo.ts')).then((module) => module.sendPhoto);

/** The photos of an ad form. */
export const useAdPhotos = (form: UseFormReturn<AdValues>, rules: PhotoRules) =>
  usePhotos({
    saved: form.getValues('imageUrls'),
    max: useSiteConfig().maxImages,
    rules,
    loadSend,
    onChange: (urls) => form.setValue('imageUrls', urls, { shouldDirty: true }),
  });
