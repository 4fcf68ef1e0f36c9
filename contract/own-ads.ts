import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

const texts = z.string();

/** An ad as "Download my ads" has it, by the names and in the order of its columns. It comes back in by an import. */
export const OwnAd = z.object({
  /** Its address: an id alone would mean another ad on another marketplace. */
  id: texts,
  title: texts,
  description: texts,
  price: texts,
  currency: texts,
  priceType: texts,
  /** The slug. */
  category: texts,
  location: texts,
  placeId: texts,
  condition: texts,
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  externalLink: texts,
  allowMessages: z.boolean(),
  /** `active`, `paused`, `sold` or `expired`. */
  state: texts,
  /** Addresses of photos, the cover first. */
  images: z.array(texts),
});
export type OwnAd = z.output<typeof OwnAd>;
export type OwnColumn = keyof OwnAd;
/** In the order of the file. Named here as well: read from the schema, the browser would need all of zod. */
export const OWN_COLUMNS: readonly OwnColumn[] = [
  'id',
  'title',
  'description',
  'price',
  'currency',
  'priceType',
  'category',
  'location',
  'placeId',
  'condition',
  'details',
  'externalLink',
  'allowMessages',
  'state',
  'images',
];

export const exportMyAds = endpoint({
  method: 'GET',
  path: '/api/users/me/ads/file',
  summary: 'The own ads, apart from deleted ones, in a form that an import takes in',
  access: 'user',
  scope: 'ads:read',
  reply: z.array(OwnAd),
  limit: 'exportData',
});
