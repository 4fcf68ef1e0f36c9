import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { Cursor, ExternalLink, Id, PageSize, Price, PriceBound, Timestamp } from './scalars.ts';
import { text } from './text.ts';
import { User } from './user.ts';

export const Image = z.object({
  url: z.string(),
  thumbUrl: z.string(),
  width: z.number(),
  height: z.number(),
  /** Dominant colour, #rrggbb. */
  color: z.string(),
});
export type Image = z.output<typeof Image>;

/** The state of an ad. Only its owner and administrators see it. `isActive` is true for `active` only. */
export const AdState = z.enum(['active', 'pending', 'inactive', 'expired']);
export type AdState = z.output<typeof AdState>;

export const Ad = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  description: z.string(),
  /** Decimal number as a string, two decimals: "1200.00". */
  price: z.string(),
  category: z.string(),
  categorySlug: z.string(),
  location: z.nullable(z.string()),
  imageUrls: z.array(z.string()),
  images: z.array(Image),
  externalLink: z.nullable(z.string()),
  allowMessages: z.boolean(),
  isActive: z.boolean(),
  isSold: z.boolean(),
  views: z.number(),
  createdAt: Timestamp,
  user: User,
  state: z.optional(AdState),
  stateReason: z.optional(z.nullable(z.string())),
  expiresAt: z.optional(z.nullable(Timestamp)),
  /** Changes with the ad. An edit with an outdated version is refused. */
  version: z.optional(z.string()),
});
export type Ad = z.output<typeof Ad>;

const AdParams = z.object({ id: Id });

const imageUrls = z
  .array(z.string().check(z.maxLength(LIMITS.bodyAd)))
  .check(z.maxLength(LIMITS.images, 'You can upload a maximum of 5 images.'));

/** `userId` and unknown keys are dropped. `imageUrls` are data URLs; an edit may contain URLs of images to keep. */
const AdFields = {
  title: text({ max: LIMITS.title, required: 'Title is required', tooLong: 'Title must be less than 100 characters' }),
  description: text({
    max: LIMITS.description,
    required: 'Description is required',
    tooLong: 'Description must be less than 1000 characters',
    multiline: true,
  }),
  price: Price,
  category: z.string('Category is required').check(z.minLength(1, 'Category is required'), z.maxLength(100)),
  location: z.pipe(
    z.pipe(
      z.nullish(z.string()),
      z.transform((s: string | null | undefined) => s ?? ''),
    ),
    text({ max: LIMITS.location }),
  ),
  externalLink: ExternalLink,
  allowMessages: z._default(z.boolean(), true),
  imageUrls: z._default(imageUrls, []),
};

export const CreateAdBody = z.object({ ...AdFields, postToX: z._default(z.boolean(), false) });
/** With the `version` of the ad as read: 409 `conflict` if the ad has changed since. */
export const UpdateAdBody = z.object({ ...AdFields, version: z.optional(z.string().check(z.maxLength(100))) });
export type AdInput = z.output<typeof UpdateAdBody>;

export const AdFilter = z.object({
  category: z.optional(z.string().check(z.maxLength(100))),
  minPrice: PriceBound,
  maxPrice: PriceBound,
  search: z.optional(z.string().check(z.maxLength(LIMITS.search, `Must be at most ${LIMITS.search} characters`))),
  cursor: z.optional(Cursor),
  limit: PageSize,
});
export type AdFilter = z.output<typeof AdFilter>;

/**
 * Newest first, with `Link: <…>; rel="next"`. First pages carry `X-Total-Count`; if counting stopped at
 * LIMITS.countCap, also `X-Total-Count-Exact: false`.
 */
export const listAds = endpoint({
  method: 'GET',
  path: '/api/ads',
  summary: 'Public ads, newest first, by category, price range and words',
  access: 'public',
  query: AdFilter,
  reply: z.array(Ad),
  paged: true,
  shared: true,
  hidesBlocked: true,
  limit: 'search',
  tags: ['ads'],
});

/** `postedToX` is true only when a post was queued; `intentUrl` opens X's composer where the site posts by intent. */
export const CreatedAd = z.extend(Ad, { postedToX: z.boolean(), intentUrl: z.nullable(z.string()) });
export type CreatedAd = z.output<typeof CreatedAd>;

export const createAd = endpoint({
  method: 'POST',
  path: '/api/ads',
  summary: 'Posts an ad',
  access: 'user',
  body: CreateAdBody,
  bodyLimit: LIMITS.bodyAd,
  reply: CreatedAd,
  status: 201,
  limit: 'createAd',
  idempotent: true,
  errors: ['forbidden', 'invalid_image', 'payload_too_large', 'overloaded', 'image_worker_failed'],
  invalidates: ['ads', 'myAds', 'profiles'],
});

export const getAd = endpoint({
  method: 'GET',
  path: '/api/ads/:id',
  summary: 'One ad; inactive ones to their owner and administrators only',
  access: 'public',
  params: AdParams,
  reply: Ad,
  shared: 'signed-out',
  limit: 'read',
  errors: ['not_found'],
  tags: ['ad'],
});

export const updateAd = endpoint({
  method: 'PUT',
  path: '/api/ads/:id',
  summary: 'Edits one of the own ads',
  access: 'user',
  params: AdParams,
  body: UpdateAdBody,
  bodyLimit: LIMITS.bodyAd,
  reply: Ad,
  limit: 'editAd',
  errors: [
    'forbidden',
    'not_found',
    'conflict',
    'invalid_image',
    'payload_too_large',
    'overloaded',
    'image_worker_failed',
  ],
  invalidates: ['ads', 'myAds', 'profiles', 'favorites'],
});

export const deleteAd = endpoint({
  method: 'DELETE',
  path: '/api/ads/:id',
  summary: 'Deletes one of the own ads; its conversations stay readable',
  access: 'user',
  params: AdParams,
  limit: 'write',
  errors: ['forbidden', 'not_found'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites'],
});

export const setAdSold = endpoint({
  method: 'PATCH',
  path: '/api/ads/:id/sold',
  summary: 'Marks one of the own ads as sold or available',
  access: 'user',
  params: AdParams,
  body: z.object({ isSold: z.boolean() }),
  reply: Ad,
  limit: 'write',
  errors: ['forbidden', 'not_found'],
  invalidates: ['ads', 'myAds', 'profiles'],
});

export const renewAd = endpoint({
  method: 'POST',
  path: '/api/ads/:id/renew',
  summary: 'Puts one of the own expired ads back on the market',
  access: 'user',
  params: AdParams,
  reply: Ad,
  limit: 'write',
  errors: ['forbidden', 'not_found', 'conflict'],
  invalidates: ['ads', 'myAds', 'profiles'],
});
