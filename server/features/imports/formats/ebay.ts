import type { Condition } from '../../../../contract/conditions.ts';
import { readPrice } from '../reading/amounts.ts';
import type { Problem } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import type { TableRow } from '../reading/table.ts';
import {
  EMPTY,
  eachItem,
  listDetails,
  readCells,
  readPath,
  readUrls,
  type TableFormat,
  toKey,
  withKind,
} from './format.ts';

/** By the first digit and the rest of eBay's ids: 1000 new, 2000 refurbished, 3000 used, 7000 for parts. */
const readConditionId = (id: string): Condition | null => {
  const number = Number(id);
  if (number >= 1000 && number < 1500) return 'new';
  if (number >= 1500 && number < 3000) return 'like_new';
  if (number >= 3000 && number < 5000) return 'good';
  if (number >= 5000 && number < 7000) return 'fair';
  return number === 7000 ? 'for_parts' : null;
};

/** The words of reports: "New", "Open box", "Very Good - Refurbished", "Pre-owned - Fair", "For parts or not working". */
const readConditionWords = (text: string): Condition | null => {
  const key = toKey(text);
  if (key.includes('forparts')) return 'for_parts';
  if (key.includes('refurbished') || key === 'openbox' || key === 'likenew') return 'like_new';
  if (key.startsWith('new')) return 'new';
  if (key.endsWith('fair') || key === 'acceptable') return 'fair';
  return /^(used|preowned|verygood|good)/.test(key) ? 'good' : null;
};

const isAction = (heading: string): boolean => /^\*?Action\s*\(/i.test(heading);

/** "*Action(SiteID=US|Currency=USD|…)": the first heading of an upload has the settings of the file. */
const readSettings = ({ headings }: TableRow): { action: number; currency: string | null } => {
  const action = headings.findIndex(isAction);
  return { action, currency: /\bCurrency=([A-Z]{3})\b/.exec(headings[action] ?? '')?.[1] ?? null };
};

const AUCTION: Problem = {
  column: 'Format',
  what: { key: 'mistakes.auction' },
  how: { key: 'mistakes.fixedPrice' },
};

/** A listing, and its variations. */
interface Listing {
  line: number;
  problem?: Problem;
  rows: TableRow[];
}

const MAX_ROWS = 1000;

/** Rows that are one listing: what is for sale, then its variations, which have its number or say what they are. */
async function* group(rows: AsyncIterable<TableRow>): AsyncGenerator<Listing> {
  let listing: Listing | undefined;
  let number = '';
  for await (const row of rows) {
    const { cell } = readCells(row);
    const isVariation = /^variation$/i.test(cell('relationship')) || (number !== '' && cell('itemnumber') === number);
    if (listing && isVariation && !row.problem && listing.rows.length < MAX_ROWS) listing.rows.push(row);
    else {
      if (listing) yield listing;
      listing = { line: row.line, ...(row.problem && { problem: row.problem }), rows: [row] };
      number = row.problem ? '' : cell('itemnumber');
    }
  }
  if (listing) yield listing;
}

/** "/Home & Garden/Lamps" in templates, "Lamps" in reports; else the number. */
const readCategories = (name: string, number: string): string[] =>
  [...readPath(name.startsWith('/') ? name.replaceAll('/', '>') : name), number].filter(Boolean);

const PRICES = ['currentprice', 'startprice', 'price'];

const toAds = eachItem<Listing>(({ line, rows }, options) => {
  const [row, ...variations] = rows as [TableRow, ...TableRow[]];
  const { cell, problems } = readCells(row);
  const { action, currency } = readSettings(row);
  const verb = row.cells[action]?.trim() ?? '';
  if (action >= 0 && !/^(add|verifyadd|revise|relist|draft)$/i.test(verb)) return null;
  const column = row.headings.find((heading) => PRICES.includes(toKey(heading))) ?? 'StartPrice';
  const prices = variations.map((variation) => readPrice(readCells(variation).cell(...PRICES), options));
  const offered = prices.filter(({ problem }) => !problem).sort((a, b) => Number(a.price) - Number(b.price));
  const own = cell(...PRICES);
  const price = own === '' && offered[0] ? offered[0] : readPrice(own, options);
  const money = withKind(price, problems, column);
  const title = toPlainText(cell('title'));
  const isAuction = /^auction$/i.test(cell('format'));
  return {
    ...EMPTY,
    ...money,
    line,
    externalId: cell('customlabel', 'customlabelsku', 'itemnumber'),
    title,
    // a report has no column for it
    description: toPlainText(cell('description')) || (action < 0 ? title : ''),
    currency: money.currency ?? (cell('currency') || currency),
    categories: readCategories(
      cell('categoryname', 'ebaycategory1name'),
      cell('category', 'categoryid', 'ebaycategory1number'),
    ),
    condition: readConditionId(cell('conditionid')) ?? readConditionWords(cell('condition', 'conditionid')),
    location: cell('location'),
    details: listDetails({ brand: cell('cbrand'), color: cell('ccolor', 'ccolour'), size: cell('csize') }),
    imageUrls: readUrls([cell('picurl', 'itemphotourl')]),
    isHidden: cell('quantity', 'availablequantity') === '0' || /^draft$/i.test(verb),
    problems: [...money.problems, ...(isAuction ? [AUCTION] : [])],
  };
});

/** The files of eBay's Seller Hub: what is uploaded there, and its report of active listings. Rows that add nothing are none. */
export const ebay: TableFormat = {
  name: 'ebay',
  label: 'eBay Seller Hub, File Exchange (CSV)',
  reads: 'table',
  recognizes: (keys, { headings }) =>
    (headings.some(isAction) && (keys.has('startprice') || keys.has('price')) && keys.has('title')) ||
    ['itemnumber', 'title', 'availablequantity'].every((key) => keys.has(key)),
  toAds: (rows, options) => toAds(group(rows), options),
};
