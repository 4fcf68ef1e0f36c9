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
