import * as z from 'zod/mini';

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
