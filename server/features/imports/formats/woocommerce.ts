import { type ReadPrice, readPrice } from '../reading/amounts.ts';
import type { ImportedAd, ReadingOptions } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import type { TableRow } from '../reading/table.ts';
import {
  EMPTY,
  listDetails,
  nameByContent,
  onlyHttps,
  readCells,
  readPath,
  readUrls,
  type TableFormat,
  withKind,
} from './format.ts';

type Cell = ReturnType<typeof readCells>['cell'];

/** What people pay: during a sale its price. */
const priceOf = (cell: Cell, options: ReadingOptions): ReadPrice =>
  readPrice(cell('saleprice', 'regularprice'), options);

/** "Clothing > Shirts, Sale": several paths. A comma of a name has a backslash. */
const readCategories = (text: string): string[] =>
  text.split(/(?<!\\),/).flatMap((path) => readPath(path.replaceAll('\\,', ',')));

/** Line breaks of descriptions are written as a backslash and "n". */
const toText = (text: string): string => toPlainText(text.replaceAll('\\n', '\n'));

const toAd = (row: TableRow, price: ReadPrice): ImportedAd => {
  const { cell, problems } = readCells(row);
  return {
    ...EMPTY,
    ...withKind(price, problems, 'Regular price'),
    line: row.line,
    externalId: cell('sku', 'id') || nameByContent(cell('name')),
    title: toPlainText(cell('name')),
    description: toText(cell('description')) || toText(cell('shortdescription')),
    categories: readCategories(cell('categories')),
    details: listDetails({ brand: cell('brands', 'brand') }),
    externalLink: onlyHttps(cell('externalurl')),
    imageUrls: readUrls([cell('images')]),
    isHidden: cell('published') !== '1' || cell('instock') === '0',
  };
};

/** The variations of a product that were read, from the cheapest on. */
interface Variations {
  first: TableRow;
  price: ReadPrice;
}

const cheaper = (one: ReadPrice, other: ReadPrice): ReadPrice =>
  one.problem || (!other.problem && Number(one.price) <= Number(other.price)) ? one : other;

const orphan = (row: TableRow): ImportedAd => ({
  ...toAd(row, { price: '', currency: null }),
  problems: [
    {
      column: 'Parent',
      what: { key: 'mistakes.noProduct' },
      how: { key: 'mistakes.withProduct' },
    },
  ],
});

/**
 * What WooCommerce exports. Variations are no ads: the cheapest is the price of their product. They may stand anywhere in the file, so
 * products that have some wait for its end.
 */
export const woocommerce: TableFormat = {
  name: 'woocommerce',
  label: 'WooCommerce products (CSV)',
  reads: 'table',
  recognizes: (keys) => keys.has('regularprice') && keys.has('name') && keys.has('published'),
  toAds: async function* (rows, options) {
    const products: TableRow[] = [];
    const variations = new Map<string, Variations>();
    for await (const row of rows) {
      const { cell } = readCells(row);
      const type = cell('type').toLowerCase();
      if (type.startsWith('variation')) {
        const price = priceOf(cell, options);
        const known = variations.get(cell('parent'));
        variations.set(
          cell('parent'),
          known ? { ...known, price: cheaper(known.price, price) } : { first: row, price },
        );
      } else if (type.startsWith('variable')) products.push(row);
      else yield toAd(row, priceOf(cell, options));
    }
    for (const row of products) {
      const { cell } = readCells(row);
      // a product without SKU is named by its number
      const name = [cell('sku'), `id:${cell('id')}`].find((one) => variations.has(one)) ?? '';
      yield toAd(row, variations.get(name)?.price ?? priceOf(cell, options));
      variations.delete(name);
    }
    for (const { first } of variations.values()) yield orphan(first);
  },
};
