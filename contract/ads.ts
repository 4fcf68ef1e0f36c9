import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { Cursor, ExternalLink, Id, IdParams, PageSize, Price, PriceBound, Timestamp } from './scalars.ts';
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

/** The values and their labels, best first. */
export const CONDITIONS = {
  new: 'New',
  like_new: 'Like new',
  good: 'Good',
  fair: 'Fair',
  for_parts: 'For parts',
} as const;
export type Condition = keyof typeof CONDITIONS;
const ConditionName = z.enum(Object.keys(CONDITIONS) as [Condition, ...Condition[]], 'Unknown condition');

/** `negotiable`: "or best offer". The price of a `free` ad is 0, that of a `wanted` ad is what the person would pay. */
export const PRICE_TYPES = {
  fixed: 'Fixed price',
  negotiable: 'or best offer',
  free: 'Free',
  wanted: 'Wanted',
} as const;
export type PriceType = keyof typeof PRICE_TYPES;
export const PriceTypeName = z.enum(Object.keys(PRICE_TYPES) as [PriceType, ...PriceType[]], 'Unknown kind of price');

/** Ads with the same price or distance: newest first. */
export const SORTS = {
  newest: 'Newest',
  price_asc: 'Price: low to high',
  price_desc: 'Price: high to low',
  nearest: 'Nearest',
} as const;
export type Sort = keyof typeof SORTS;

/** In the unit of the setting `distanceUnit`. */
export const RADIUSES = ['10', '25', '50', '100', '250'] as const;

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
  expiresAt: z.optional(z.nullable(Timestamp)),
  /** Changes with the ad. An edit with an outdated version is refused. */
  version: z.optional(z.string()),
});
export type Ad = z.output<typeof Ad>;

const imageUrls = z
  .array(z.string().check(z.maxLength(LIMITS.bodyAd)))
  .check(z.maxLength(LIMITS.images, `You can upload a maximum of ${LIMITS.images} images.`));

const detailsInput = z
  .record(z.string(), z.nullish(z.union([z.string().check(z.maxLength(LIMITS.detail)), z.number()])))
  .check(
    z.refine((details) => Object.keys(details).length <= LIMITS.details, {
      error: `Must be at most ${LIMITS.details} details`,
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
 * `imageUrls` are addresses of photos (POST /api/photos) or data URLs; an edit may contain those that the ad has.
 */
const AdFields = {
  title: text({
    max: LIMITS.title,
    required: 'Title is required',
    tooLong: `Title must be less than ${LIMITS.title} characters`,
  }),
  description: text({
    max: LIMITS.description,
    required: 'Description is required',
    tooLong: `Description must be less than ${LIMITS.description} characters`,
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
  placeId: orNone(Id),
  priceType: z._default(PriceTypeName, 'fixed'),
  condition: orNone(ConditionName),
  details: z._default(detailsInput, {}),
  externalLink: ExternalLink,
  allowMessages: z._default(z.boolean(), true),
  imageUrls: z._default(imageUrls, []),
};

export const CreateAdBody = z.object({ ...AdFields, postToX: z._default(z.boolean(), false) });
/** With the `version` of the ad as read: 409 `conflict` if the ad has changed since. */
export const UpdateAdBody = z.object({ ...AdFields, version: z.optional(z.string().check(z.maxLength(100))) });
export type AdInput = z.output<typeof UpdateAdBody>;

/** A parameter of a list. The empty string means no filter. */
const param = <Value extends string>(values: readonly Value[], message: string) =>
  z.optional(
    z.pipe(
      z.string().check(
        z.refine((value) => value === '' || values.includes(value as Value), {
          error: message,
          params: { json: { enum: ['', ...values] } },
        }),
      ),
      z.transform((value: string) => (value === '' ? undefined : (value as Value))),
    ),
  );

const readList = (given: string | string[]): string[] => [given].flat().join().split(',').filter(Boolean);

/** Several values: separated by commas, or the parameter repeated. */
const params = <Value extends string>(values: readonly Value[], message: string) => {
  const list = z.string().check(z.regex(new RegExp(`^(((${values.join('|')})(,|$))|,)*$`)));
  return z.optional(
    z.pipe(
      z.union([list, z.array(list)], message),
      z.transform((given: string | string[]) => [...new Set(readList(given))] as Value[]),
    ),
  );
};

const toggle = param(['true', 'false'], 'Must be true or false');

const keysOf = <Key extends string>(record: Record<Key, string>): Key[] => Object.keys(record) as Key[];

const FILTER_FIELDS = {
  category: z.optional(z.string().check(z.maxLength(100))),
  minPrice: PriceBound,
  maxPrice: PriceBound,
  search: z.optional(z.string().check(z.maxLength(LIMITS.search, `Must be at most ${LIMITS.search} characters`))),
  /** Id of a place. Without `radius` it filters nothing, but ads tell their distance. */
  near: z.optional(z.union([z.literal(''), Id], 'Unknown place')),
  /** Inclusive, between the centres of the cities, in the unit of the setting `distanceUnit`. */
  radius: param(RADIUSES, `Must be ${RADIUSES.join(', ')}`),
  condition: params(keysOf(CONDITIONS), 'Unknown condition'),
  priceType: params(keysOf(PRICE_TYPES), 'Unknown kind of price'),
  hideSold: toggle,
  withPhotos: toggle,
  sort: param(keysOf(SORTS), 'Unknown order'),
  cursor: z.optional(Cursor),
  limit: PageSize,
};
const FilterFields = z.looseObject(FILTER_FIELDS);

/**
 * `d.{key}=`, `d.{key}.min=` and `d.{key}.max=` (inclusive) filter by a detail of the category; in the output they are
 * `details`, without "d.". Other unknown parameters are dropped.
 */
export const AdFilter = z.pipe(
  FilterFields,
  z.transform((filter: z.output<typeof FilterFields>, context) => {
    const given = Object.entries(filter).filter(([name, value]) => name.startsWith('d.') && value !== '');
    const bad = given.find(([, value]) => typeof value !== 'string' || value.length > LIMITS.detail);
    if (bad || given.length > LIMITS.details * 3)
      context.issues.push({ code: 'custom', path: [bad?.[0] ?? 'd'], message: 'Unknown detail', input: bad?.[1] });
    const { category, minPrice, maxPrice, search, near, radius, condition, priceType, hideSold, withPhotos } = filter;
    const { sort, cursor, limit } = filter;
    return {
      category,
      minPrice,
      maxPrice,
      search,
      near: near || undefined,
      radius: radius && Number(radius),
      condition,
      priceType,
      hideSold: hideSold === 'true',
      withPhotos: withPhotos === 'true',
      details: Object.fromEntries(given.map(([name, value]) => [name.slice('d.'.length), String(value)])),
      sort,
      cursor,
      limit,
    } satisfies Record<keyof typeof FILTER_FIELDS | 'details', unknown>;
  }),
);
export type AdFilter = z.output<typeof AdFilter>;

/**
 * Newest first unless `sort` says otherwise, with `Link: <…>; rel="next"`. First pages carry `X-Total-Count`; if
 * counting stopped at LIMITS.countCap, also `X-Total-Count-Exact: false`.
 */
export const listAds = endpoint({
  method: 'GET',
  path: '/api/ads',
  summary: 'Public ads by words, category, price, place, condition and details, in a chosen order',
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
  errors: ['forbidden', 'invalid_image', 'image_worker_failed', 'storage_unavailable'],
  invalidates: ['ads', 'myAds', 'profiles'],
});

export const getAd = endpoint({
  method: 'GET',
  path: '/api/ads/:id',
  summary: 'One ad; inactive ones to their owner and administrators only',
  access: 'public',
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
  params: IdParams,
  body: UpdateAdBody,
  bodyLimit: LIMITS.bodyAd,
  reply: Ad,
  limit: 'editAd',
  errors: ['forbidden', 'conflict', 'invalid_image', 'image_worker_failed', 'storage_unavailable'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites'],
});

export const deleteAd = endpoint({
  method: 'DELETE',
  path: '/api/ads/:id',
  summary: 'Deletes one of the own ads; its conversations stay readable',
  access: 'user',
  params: IdParams,
  errors: ['forbidden'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites'],
});

export const setAdSold = endpoint({
  method: 'PATCH',
  path: '/api/ads/:id/sold',
  summary: 'Marks one of the own ads as sold, to a person or elsewhere, or as available',
  access: 'user',
  params: IdParams,
  body: z.object({ isSold: z.boolean(), buyerId: z.optional(Id) }).check(
    z.refine(({ isSold, buyerId }) => isSold || buyerId === undefined, {
      path: ['buyerId'],
      message: 'An item that is available has no buyer',
      params: { json: { anyOf: [{ properties: { isSold: { const: true } } }, { properties: { buyerId: false } }] } },
    }),
  ),
  reply: Ad,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles', 'favorites', 'buyers', 'deals', 'inbox', 'conversation'],
});

export const renewAd = endpoint({
  method: 'POST',
  path: '/api/ads/:id/renew',
  summary: `Lets one of the own ads last its full time from now; from ${LIMITS.renewDays} days before its end on`,
  access: 'user',
  params: IdParams,
  reply: Ad,
  errors: ['forbidden', 'conflict'],
  invalidates: ['ad', 'ads', 'myAds', 'profiles'],
});
