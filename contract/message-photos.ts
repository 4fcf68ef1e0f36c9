import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { MessagePhoto } from './messages.ts';
import { Id } from './scalars.ts';

/** For LIMITS.photoHours, one message of the caller may contain the photo (`imageIds`). */
export const uploadMessagePhoto = endpoint({
  method: 'POST',
  path: '/api/messages/photos',
  summary: 'Takes the file of one photo, which one message of the caller may contain by its id',
  access: 'user',
  scope: 'messages:write',
  bodyTypes: ['image/jpeg', 'image/png', 'image/webp'],
  bodyLimit: LIMITS.photo,
  reply: MessagePhoto,
  status: 201,
  limit: 'photo',
  errors: ['invalid_image', 'image_worker_failed', 'storage_unavailable'],
});

/** The thumbnail, or the whole photo. */
export const PHOTO_SIZES = ['thumb', 'full'] as const;
export type PhotoSize = (typeof PHOTO_SIZES)[number];
export const PHOTO_TYPES = ['image/jpeg', 'image/webp'] as const;

/** Its owner alone sees a photo that is not sent yet. Everybody else gets 404, signed in or not. */
export const viewMessagePhoto = endpoint({
  method: 'GET',
  path: '/api/messages/photos/:id/:size',
  summary: 'A photo of a message, for its sender and its receiver',
  access: 'public',
  scope: 'messages:read',
  params: z.object({ id: Id, size: z.enum(PHOTO_SIZES) }),
  replyTypes: PHOTO_TYPES,
  limit: 'image',
  errors: ['storage_unavailable'],
});
