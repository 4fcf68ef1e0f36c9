import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd, ReadingOptions } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import { findAll, textOf } from '../reading/xml.ts';
import {
  EMPTY,
  eachItem,
  listDetails,
  onlyHttps,
  readCells,
  readCondition,
  readPath,
  readUrls,
  type TableFormat,
  toKey,
  withKind,
  type XmlFormat,
} from './format.ts';

type Texts = (name: string) => string;

/** The fields of Google Merchant, which Meta reads too. A sale price is the price. */
const toAd = (line: number, text: Texts, images: readonly string[], options: ReadingOptions): ImportedAd => {
  const column = text('sale_price') ? 'sale_price' : 'price';
  const { condition, problem } = readCondition(text('condition'), 'condition');
  const money = withKind(readPrice(text(column), options), [], column);
  return {
    ...EMPTY,
    ...money,
    line,
    externalId: text('id'),
    title: toPlainText(text('title')),
    description: toPlainText(text('description')),
    categories: [...readPath(text('product_type')), ...readPath(text('google_product_category'))],
    condition,
    details: listDetails({
      brand: text('brand'),
      color: text('color'),
      size: text('size'),
      material: text('material'),
    }),
    externalLink: onlyHttps(text('link')),
    imageUrls: readUrls(images),
    isHidden: toKey(text('availability')) === 'outofstock',
    problems: [...money.problems, ...(problem ? [problem] : [])],
  };
};

export const googleTable: TableFormat = {
  name: 'google',
  label: 'Google Merchant or Meta catalogue (TSV, CSV)',
  reads: 'table',
  recognizes: (keys) => keys.has('id') && keys.has('imagelink') && keys.has('availability'),
  toAds: eachItem((row, options) => {
    const { cell, problems } = readCells(row);
    const text: Texts = (name) => cell(toKey(name));
    const ad = toAd(row.line, text, [text('image_link'), text('additional_image_link')], options);
    return { ...ad, problems: [...problems, ...ad.problems] };
  }),
};

export const googleRss: XmlFormat = {
  name: 'google',
  label: 'Google Merchant (RSS)',
  reads: 'xml',
  record: 'item',
  recognizes: (root, names) => root === 'rss' && [...names].some((name) => /^[\w-]+:(id|price|image_link)$/.test(name)),
  toAds: eachItem((node, options) => {
    const images = ['image_link', 'additional_image_link'].flatMap((name) => findAll(node, name));
    return toAd(
      node.line,
      (name) => textOf(node, name),
      images.map((image) => image.text),
      options,
    );
  }),
};
