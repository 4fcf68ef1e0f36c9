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
  toUnread,
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

/** Rows that wait: a file has a product and its variations near each other, and none fills the memory. */
const MAX_WAITING = 50_000;

/** Products that have variations, and those variations, until both are known. */
class Waiting {
  private products: TableRow[] = [];
  private readonly variations = new Map<string, Variations>();
  private readonly options: ReadingOptions;
  constructor(options: ReadingOptions) {
    this.options = options;
  }

  get isFull(): boolean {
    return this.products.length + this.variations.size >= MAX_WAITING;
  }

  addProduct(row: TableRow): void {
    this.products.push(row);
  }

  addVariation(row: TableRow): void {
    const { cell } = readCells(row);
    const price = priceOf(cell, this.options);
    const known = this.variations.get(cell('parent'));
    const all = known ? { ...known, price: cheaper(known.price, price) } : { first: row, price };
    this.variations.set(cell('parent'), all);
  }

  *end(): Generator<ImportedAd> {
    for (const row of this.products) {
      const { cell } = readCells(row);
      // a product without SKU is named by its number
      const name = [cell('sku'), `id:${cell('id')}`].find((one) => this.variations.has(one)) ?? '';
      yield toAd(row, this.variations.get(name)?.price ?? priceOf(cell, this.options));
      this.variations.delete(name);
    }
    for (const { first } of this.variations.values()) yield orphan(first);
    this.products = [];
    this.variations.clear();
  }
}

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
    const waiting = new Waiting(options);
    for await (const row of rows) {
      if (row.problem) {
        yield toUnread(row.line, row.problem);
        continue;
      }
      const { cell } = readCells(row);
      const type = cell('type').toLowerCase();
      if (type.startsWith('variation')) waiting.addVariation(row);
      else if (type.startsWith('variable')) waiting.addProduct(row);
      else yield toAd(row, priceOf(cell, options));
      if (waiting.isFull) yield* waiting.end();
    }
    yield* waiting.end();
  },
};
