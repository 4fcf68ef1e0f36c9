import * as z from 'zod/mini';
import { ConditionName } from './conditions.ts';
import { endpoint } from './endpoint.ts';
import { AdFilter } from './filters.ts';
import { LIMITS } from './limits.ts';
import { PriceTypeName } from './prices.ts';
import { says } from './says.ts';
import { ExternalLink, Id, IdParams, Price, Timestamp } from './scalars.ts';
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

/**
 * The state of an ad. Only its owner and administrators see it; people who saved it or write about it see `paused`. `isActive`
 * is true for `active` only.
 */
export const AdState = z.enum(['active', 'paused', 'pending', 'inactive', 'expired']);
export type AdState = z.output<typeof AdState>;

/** Values by key: numbers, and strings for texts and choices. contract/attributes.ts defines the keys of each category. */
export type Details = Record<string, string | number>;

export const Ad = z.object({
  id: z.string(),
  userId: z.string(),
  title: z.string(),
  description: z.string(),
  /** Decimal number as a string, two decimals: "1200.00". */
  price: z.string(),
  /** The lowest price of the 30 days before, for 14 days after the price dropped to 95 % of it or less. */
  oldPrice: z.optional(z.string()),
  category: z.string(),
  categorySlug: z.string(),
  location: z.nullable(z.string()),
  /** The city of the ad; GET /api/places names it. */
  placeId: z.nullable(z.string()),
  /** From the place of the filter `near`, in the unit of the setting `distanceUnit`. Absent for an ad without a place. */
  distance: z.optional(z.number()),
  priceType: PriceTypeName,
  condition: z.nullable(ConditionName),
  /** In the order of contract/attributes.ts; only what the ad's category has. */
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  imageUrls: z.array(z.string()),
  images: z.array(Image),
  externalLink: z.nullable(z.string()),
  allowMessages: z.boolean(),
  isActive: z.boolean(),
  isSold: z.boolean(),
  /** Reserved for a person at the moment. Only that person, the owner and staff see for whom. */
  isReserved: z.optional(z.boolean()),
  reservedFor: z.optional(User),
  reservedUntil: z.optional(Timestamp),
  views: z.number(),
  createdAt: Timestamp,
  user: User,
  state: z.optional(AdState),
  stateReason: z.optional(z.nullable(z.string())),
  /** The reason to report (`REASONS`) whose English words `stateReason` has, if staff wrote none of their own. */
  stateReasonCode: z.optional(z.string()),
  expiresAt: z.optional(z.nullable(Timestamp)),
  /** Changes with the ad. An edit with an outdated version is refused. */
  version: z.optional(z.string()),
});
export type Ad = z.output<typeof Ad>;

const imageUrls = z
  .array(z.string().check(z.maxLength(LIMITS.bodyAd)))
  .check(z.maxLength(LIMITS.images, says('fields.images', { max: LIMITS.images })));

const detailsInput = z
  .record(z.string(), z.nullish(z.union([z.string().check(z.maxLength(LIMITS.detail)), z.number()])))
  .check(
    z.refine((details) => Object.keys(details).length <= LIMITS.details, {
      ...says('fields.details', { max: LIMITS.details }),
      params: { json: { maxProperties: LIMITS.details } },
    }),
  );

/** Null, undefined and the empty string mean no value. */
const orNone = <Value>(schema: z.ZodMiniType<Value, string>) =>
  z.pipe(
    z.pipe(
      z.nullish(z.string()),
      z.transform((value: string | null | undefined) => value || null),
    ),
    z.nullable(schema),
  );

/**
 * `userId` and unknown keys are dropped. `details` are checked by the category: an unknown key is refused, except what a
 * changed category no longer has, which is dropped.
 * `imageUrls` are addresses of photos (POST /api/photos), of photos of the caller's other ads, or data URLs; an edit may contain those
 * that the ad has.
 */
const AdFields = {
  title: text({
    max: LIMITS.title,
    required: 'fields.titleRequired',
    tooLong: 'fields.titleTooLong',
  }),
  description: text({
    max: LIMITS.description,
    required: 'fields.descriptionRequired',
    tooLong: 'fields.descriptionTooLong',
    multiline: true,
  }),
  price: Price,
  category: z
    .string(says('fields.categoryRequired'))
    .check(z.minLength(1, says('fields.categoryRequired')), z.maxLength(100)),
  location: z.pipe(
    z.pipe(
      z.nullish(z.string()),
      z.transform((s: string | null | undefined) => s ?? ''),
    ),
    text({ max: LIMITS.location }),
  ),
  placeId: orNone(Id),
  priceType: z._default(PriceTypeName, 'fixed'),
  condition: orNone(ConditionName),
  details: z._default(detailsInput, {}),
  externalLink: ExternalLink,
  allowMessages: z._default(z.boolean(), true),
  imageUrls: z._default(imageUrls, []),
};

/** True: the person was asked whether the unusual price is meant. */
const confirmPrice = z._default(z.boolean(), false);

export const CreateAdBody = z.object({
  ...AdFields,
  postToX: z._default(z.boolean(), false),
  confirmPrice,
  /** True: the person was asked whether they want to post a similar ad. */
  confirmSimilar: z._default(z.boolean(), false),
});
/** With the `version` of the ad as read: 409 `conflict` if the ad has changed since. */
export const UpdateAdBody = z.object({
  ...AdFields,
  confirmPrice,
  version: z.optional(z.string().check(z.maxLength(100))),
});
export type AdInput = Omit<z.output<typeof UpdateAdBody>, 'confirmPrice'>;
/** What the person was asked about, and wants. */
export type Confirmed = { confirmPrice?: boolean; confirmSimilar?: boolean };

/**
 * With words best match first, else newest first, unless `sort` says otherwise, with `Link: <…>; rel="next"`. First pages carry `X-Total-Count`; if
 * counting stopped at LIMITS.countCap, also `X-Total-Count-Exact: false`.
 */
export const listAds = endpoint({
  method: 'GET',
  path: '/api/ads',
  summary: 'Public ads by words, category, price, place, condition and details, in a chosen order',
  access: 'public',
  scope: 'ads:read',
  query: AdFilter,
  reply: z.array(Ad),
  paged: true,
  headers: {
    'X-Search-Query': 'The words that were searched for, percent-encoded, if they are not those of `search`',
    'X-Search-Match': '`all`: the ads have all words; `some`: no ad has, and these have most of them',
  },
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
  scope: 'ads:write',
  body: CreateAdBody,
  bodyLimit: LIMITS.bodyAd,
  reply: CreatedAd,
  status: 201,
  limit: 'createAd',
  idempotent: true,
  errors: [
    'forbidden',
    'conflict',
    'similar_ad',
    'odd_price',
    'invalid_image',
    'image_worker_failed',
    'storage_unavailable',
  ],
  invalidates: ['ads', 'myAds', 'profiles'],
});

export const getAd = endpoint({
  method: 'GET',
  path: '/api/ads/:id',
  summary: 'One ad; inactive ones to their owner and administrators only',
  access: 'public',
  scope: 'ads:read',
  params: IdParams,
  reply: Ad,
  shared: 'signed-out',
  tags: ['ad'],
});

export const updateAd = endpoint({
  method: 'PUT',
  path: '/api/ads/:id',
  summary: 'Edits one of the own ads',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  body: UpdateAdBody,
  bodyLimit: LIMITS.bodyAd,
  reply: Ad,
  limit: 'editAd',
  errors: ['forbidden', 'conflict', 'odd_price', 'invalid_image', 'image_worker_failed', 'storage_unavailable'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites'],
});

export const deleteAd = endpoint({
  method: 'DELETE',
  path: '/api/ads/:id',
  summary: 'Deletes one of the own ads; its conversations stay readable',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  errors: ['forbidden'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites'],
});

export const setAdSold = endpoint({
  method: 'PATCH',
  path: '/api/ads/:id/sold',
  summary: 'Marks one of the own ads as sold, to a person or elsewhere, or as available',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  body: z.object({ isSold: z.boolean(), buyerId: z.optional(Id) }).check(
    z.refine(({ isSold, buyerId }) => isSold || buyerId === undefined, {
      path: ['buyerId'],
      ...says('fields.noBuyer'),
      params: { json: { anyOf: [{ properties: { isSold: { const: true } } }, { properties: { buyerId: false } }] } },
    }),
  ),
  reply: Ad,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites', 'buyers', 'deals', 'inbox', 'conversation'],
});

export const setAdPaused = endpoint({
  method: 'PATCH',
  path: '/api/ads/:id/paused',
  summary: 'Hides one of the own ads until its owner resumes it; its time runs on',
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  body: z.object({ paused: z.boolean() }),
  reply: Ad,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites', 'inbox', 'conversation'],
});

export const countSavers = endpoint({
  method: 'GET',
  path: '/api/ads/:id/savers',
  summary: 'How many people saved an ad of the signed-in user, and the highest price at which they hear of a drop',
  access: 'user',
  scope: 'ads:read',
  params: IdParams,
  /** `dropPrice`: the highest price that counts as a drop; null if none does. */
  reply: z.object({ savers: z.number(), dropPrice: z.nullable(z.string()) }),
  errors: ['forbidden'],
});

export const renewAd = endpoint({
  method: 'POST',
  path: '/api/ads/:id/renew',
  summary: `Lets one of the own ads last its full time from now; from ${LIMITS.renewDays} days before its end on`,
  access: 'user',
  scope: 'ads:write',
  params: IdParams,
  reply: Ad,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles'],
});
