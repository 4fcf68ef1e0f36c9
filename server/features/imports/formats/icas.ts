import type { PriceType } from '../../../../contract/prices.ts';
import { readSmallUnits } from '../reading/amounts.ts';
import type { ImportedAd, Problem } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import { findAll, textOf } from '../reading/xml.ts';
import {
  addProblem,
  EMPTY,
  eachItem,
  kindOf,
  listDetails,
  onlyHttps,
  readCells,
  readCondition,
  readPath,
  readUrls,
  type TableFormat,
  type XmlFormat,
} from './format.ts';

const KINDS: Readonly<Record<string, PriceType>> = {
  FIXED_PRICE: 'fixed',
  NEGOTIABLE: 'negotiable',
  BIDDING: 'negotiable',
  BIDDING_FROM: 'negotiable',
  CREDIBLE_BID: 'negotiable',
  FREE: 'free',
};

/** Prices are cents; a gift may have none. */
const readMoney = (
  kind: string,
  cents: string,
  column: string,
): Pick<ImportedAd, 'price' | 'priceType' | 'problems'> => {
  const priceType = KINDS[kind || 'FIXED_PRICE'];
  const problems: Problem[] = [];
  if (priceType === undefined) {
    const what = { key: 'mistakes.noPriceFrom', values: { kind: kind.slice(0, 40) } } as const;
    return { price: '', priceType: 'fixed', problems: [{ column, what, how: { key: 'mistakes.givePrice' } }] };
  }
  if (priceType === 'free') return { price: '0', priceType, problems };
  const { price, problem } = readSmallUnits(cents, 'cents');
  // a fixed price of nothing is a gift, too
  return {
    price,
    priceType: priceType === 'fixed' ? kindOf(price) : priceType,
    problems: addProblem(problems, 'price', problem),
  };
};

/** The seller feed of Marktplaats, 2dehands, Kijiji and Kleinanzeigen as a table. */
export const icasTable: TableFormat = {
  name: 'icas',
  label: 'Seller feed of Marktplaats, 2dehands, Kijiji or Kleinanzeigen (TSV)',
  reads: 'table',
  recognizes: (keys) => keys.has('vendorid') && keys.has('pricetype'),
  toAds: eachItem((row) => {
    const { cell, problems } = readCells(row);
    const { condition, problem } = readCondition(cell('condition'), 'condition');
    const money = readMoney(cell('pricetype'), cell('price'), 'price type');
    return {
      ...EMPTY,
      ...money,
      line: row.line,
      externalId: cell('vendorid'),
      title: toPlainText(cell('title')),
      description: toPlainText(cell('description')),
      categories: [
        ...readPath(cell('producttype')),
        ...readPath(cell('googleproductcategory')),
        cell('categoryid'),
      ].filter(Boolean),
      condition,
      location: cell('pickuplocation'),
      details: listDetails({
        brand: cell('brand'),
        color: cell('color'),
        size: cell('size'),
        material: cell('material'),
      }),
      externalLink: onlyHttps(cell('url')),
      imageUrls: readUrls([cell('imagelink'), cell('additionalimagelink')]),
      isHidden: cell('status') === 'PAUSED',
      problems: [...problems, ...money.problems, ...(problem ? [problem] : [])],
    };
  }),
};

/** The same feed as XML, in version 1.0 or 1.1. */
export const icasXml: XmlFormat = {
  name: 'icas',
  label: 'Seller feed of Marktplaats, 2dehands, Kijiji or Kleinanzeigen (XML)',
  reads: 'xml',
  record: 'ad',
  recognizes: (root, names) => root === 'ads' && names.has('vendorId'),
  toAds: eachItem((node) => {
    const text = (name: string) => textOf(node, name);
    const { condition, problem } = readCondition(text('condition'), 'condition');
    const money = readMoney(text('priceType'), text('price'), 'priceType');
    const images = findAll(node, 'media').flatMap((media) => findAll(media, 'image'));
    return {
      ...EMPTY,
      ...money,
      line: node.line,
      externalId: text('vendorId'),
      title: toPlainText(text('title')),
      description: toPlainText(text('description')),
      categories: [
        ...readPath(text('productType')),
        ...readPath(text('googleProductCategory')),
        text('categoryId'),
      ].filter(Boolean),
      condition,
      location: text('pickupLocation'),
      details: listDetails({
        brand: text('brand'),
        color: text('color'),
        size: text('size'),
        material: text('material'),
      }),
      externalLink: onlyHttps(text('url')),
      imageUrls: readUrls(images.map(({ attributes }) => attributes.url ?? '')),
      isHidden: text('status') === 'PAUSED',
      problems: [...money.problems, ...(problem ? [problem] : [])],
    };
  }),
};
