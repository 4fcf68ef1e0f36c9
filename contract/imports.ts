import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** What a column of a table of ads may mean, with its label. `images`: several columns may. */
export const IMPORT_FIELDS = {
  id: 'Id',
  title: 'Title',
  description: 'Description',
  price: 'Price',
  currency: 'Currency',
  priceType: 'Kind of price',
  category: 'Category',
  condition: 'Condition',
  location: 'Location',
  images: 'Photos (addresses)',
  state: 'State',
  link: 'Link',
  brand: 'Brand',
  color: 'Color',
  size: 'Size',
} as const;
export type ImportField = keyof typeof IMPORT_FIELDS;

const FIELD_NAMES = Object.keys(IMPORT_FIELDS) as [ImportField, ...ImportField[]];

const word = z.string().check(z.maxLength(200));

/** What a person chose for a file: what it leaves open. */
export const ImportMapping = z.object({
  /** What each column of a table means, by its heading; '' for nothing. Absent: guessed. */
  columns: z.optional(z.record(word, z.enum(['', ...FIELD_NAMES], 'Unknown field'))),
  /** Slugs by the words of the file; that of '' is for ads without a category. */
  categories: z.optional(z.record(word, z.string().check(z.maxLength(100)))),
  /** How prices are written: 1234.50 or 1234,50. */
  decimal: z.optional(z.enum(['point', 'comma'])),
});
export type ImportMapping = z.output<typeof ImportMapping>;

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
export const OWN_COLUMNS = Object.keys(OwnAd.shape) as OwnColumn[];

export const exportMyAds = endpoint({
  method: 'GET',
  path: '/api/users/me/ads/file',
  summary: 'The own ads, apart from deleted ones, in a form that an import takes in',
  access: 'user',
  scope: 'ads:read',
  reply: z.array(OwnAd),
  limit: 'exportData',
});
