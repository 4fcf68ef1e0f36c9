import { LIMITS } from '../../../../../contract/limits.ts';
import { pluralize } from '../../../../../contract/plural.ts';
import type { PhotoRules } from '../../photos/use-photos.ts';

export const CREATE_RULES: PhotoRules = {
  maxBytes: LIMITS.imageBytesCreate,
  tooMany: (max) => ({
    title: 'Maximum images reached',
    description: `You can only upload up to ${pluralize(max, 'image')} per ad.`,
  }),
  notAnImage: { title: 'Invalid file type', description: 'Please select only image files.' },
  tooLarge: { title: 'File too large', description: 'Images must be less than 5MB each.' },
};

export const EDIT_RULES: PhotoRules = {
  maxBytes: LIMITS.imageBytesEdit,
  tooMany: (max) => ({
    title: 'Too many images',
    description: `You can upload a maximum of ${pluralize(max, 'image')}.`,
  }),
  notAnImage: { title: 'Invalid file type', description: 'Please upload only image files.' },
  tooLarge: { title: 'File too large', description: 'Please upload images smaller than 10MB.' },
};
