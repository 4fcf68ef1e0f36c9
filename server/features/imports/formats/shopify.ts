import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd, ReadingOptions } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import type { TableRow } from '../reading/table.ts';
import {
  addProblem,
  EMPTY,
  kindOf,
  readCells,
  readPath,
  readUrls,
  type TableFormat,
  toKey,
  toUnread,
} from './format.ts';

const MAX_RECORDS = 1000;

const handleOf = ({ headings, cells }: TableRow): string =>
  (cells[headings.findIndex((heading) => /^(url )?handle$/i.test(heading))] ?? '').trim();

const cheaper = (best: string, price: string): string => (best === '' || Number(price) < Number(best) ? price : best);

/** One ad of the records of a product: its variants, from the price of the cheapest, and its further pictures. */
const toAd = (rows: readonly TableRow[], options: ReadingOptions): ImportedAd => {
  const records = rows.map(readCells);
  const first = records[0]!;
  const text = (...keys: string[]) => records.map(({ cell }) => cell(...keys)).find((cell) => cell !== '') ?? '';
  const prices = records
    .map(({ cell }) => cell('variantprice', 'price'))
    .filter((price) => price !== '')
    .map((price) => readPrice(price, options));
  const wrong = prices.length === 0 ? readPrice('').problem : prices.find(({ problem }) => problem)?.problem;
  const price = wrong ? '' : prices.reduce((best, { price }) => cheaper(best, price), '');
  const isDraft = /^(draft|archived)$/i.test(first.cell('status'));
  const isPublished = !/^false$/i.test(first.cell('published', 'publishedononlinestore'));
  return {
    ...EMPTY,
    line: rows[0]!.line,
    externalId: handleOf(rows[0]!),
    title: toPlainText(text('title')),
    description: toPlainText(text('bodyhtml', 'description')),
    price,
    priceType: kindOf(price),
    categories: [text('type'), ...readPath(text('productcategory'))].filter(Boolean),
    imageUrls: readUrls(records.map(({ cell }) => cell('imagesrc', 'productimageurl'))),
    isHidden: isDraft || !isPublished,
    problems: addProblem(
      records.flatMap(({ problems }) => problems),
      'Variant Price',
      wrong,
    ),
  };
};

/** What Shopify exports: several records in a row are one product. */
export const shopify: TableFormat = {
  name: 'shopify',
  label: 'Shopify products (CSV)',
  reads: 'table',
  recognizes: (keys) =>
    (keys.has('handle') || keys.has(toKey('URL handle'))) && (keys.has('variantprice') || keys.has('bodyhtml')),
  toAds: async function* (rows, options) {
    let product: TableRow[] = [];
    for await (const row of rows) {
      if (row.problem) {
        // of its product more may be missing than this row
        if (product.length > 0 && handleOf(product[0]!) === handleOf(row)) product.push(row);
        else yield toUnread(row.line, row.problem);
        continue;
      }
      if (product.length > 0 && (handleOf(product[0]!) !== handleOf(row) || product.length >= MAX_RECORDS)) {
        yield toAd(product, options);
        product = [];
      }
      product.push(row);
    }
    if (product.length > 0) yield toAd(product, options);
  },
};
