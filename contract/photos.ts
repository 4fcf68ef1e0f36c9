import { Image } from './ads.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';

/** For LIMITS.photoHours, `imageUrls` of one of the caller's ads may contain the `url`. */
export const uploadPhoto = endpoint({
  method: 'POST',
  path: '/api/photos',
  summary: 'Takes the file of one photo, which one of the own ads may then show by its address',
  access: 'user',
  scope: 'ads:write',
  bodyTypes: ['image/jpeg', 'image/png', 'image/webp'],
  bodyLimit: LIMITS.photo,
  reply: Image,
  status: 201,
  limit: 'photo',
  errors: ['forbidden', 'invalid_image', 'image_worker_failed', 'storage_unavailable'],
});
