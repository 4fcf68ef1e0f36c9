import { t } from '../../../../../contract/i18n.ts';
import { LIMITS } from '../../../../../contract/limits.ts';
import type { PhotoRules } from '../../photos/use-photos.ts';

export const CREATE_RULES: PhotoRules = {
  maxBytes: LIMITS.imageBytesCreate,
  tooMany: (max) => ({
    title: t('photos.tooManyTitle'),
    description: t('photos.tooMany', { count: max }),
  }),
  notAnImage: () => ({ title: t('photos.notAnImageTitle'), description: t('photos.notAnImage') }),
  tooLarge: () => ({ title: t('photos.tooLargeTitle'), description: t('photos.tooLarge') }),
};

export const EDIT_RULES: PhotoRules = {
  maxBytes: LIMITS.imageBytesEdit,
  tooMany: (max) => ({
    title: t('photos.tooManyOnEditTitle'),
    description: t('photos.tooManyOnEdit', { count: max }),
  }),
  notAnImage: () => ({ title: t('photos.notAnImageTitle'), description: t('photos.notAnImageOnEdit') }),
  tooLarge: () => ({ title: t('photos.tooLargeTitle'), description: t('photos.tooLargeOnEdit') }),
};
