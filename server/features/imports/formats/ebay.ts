import type { Condition } from '../../../../contract/conditions.ts';
import { readPrice } from '../reading/amounts.ts';
import type { Problem } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import type { TableRow } from '../reading/table.ts';
import { EMPTY, eachItem, listDetails, readCells, readUrls, type TableFormat, withKind } from './format.ts';

/** By the first digit and the rest of eBay's ids: 1000 new, 2000 refurbished, 3000 used, 7000 for parts. */
const readConditionId = (id: string): Condition | null => {
  const number = Number(id);
  if (number >= 1000 && number < 1500) return 'new';
  if (number >= 1500 && number < 3000) return 'like_new';
  if (number >= 3000 && number < 5000) return 'good';
  if (number >= 5000 && number < 7000) return 'fair';
  return number === 7000 ? 'for_parts' : null;
};

/** "*Action(SiteID=US|Currency=USD|…)": the first heading has the settings of the file. */
const readSettings = ({ headings }: TableRow): { action: number; currency: string | null } => {
  const action = headings.findIndex((heading) => /^\*?Action\b/i.test(heading));
  return { action, currency: /\bCurrency=([A-Z]{3})\b/.exec(headings[action] ?? '')?.[1] ?? null };
};

const AUCTION: Problem = {
  column: 'Format',
  what: { key: 'mistakes.auction' },
  how: { key: 'mistakes.fixedPrice' },
};

/** The file of eBay's Seller Hub. Rows that add nothing are none. */
export const ebay: TableFormat = {
  name: 'ebay',
  label: 'eBay Seller Hub, File Exchange (CSV)',
  reads: 'table',
  recognizes: (keys, { headings }) =>
    keys.has('startprice') && headings.some((heading) => /^\*?Action\s*\(/i.test(heading)),
  toAds: eachItem((row, options) => {
    const { cell, problems } = readCells(row);
    const { action, currency } = readSettings(row);
    if (!/^(add|verifyadd|revise|relist)$/i.test(row.cells[action]?.trim() ?? '')) return null;
    const money = withKind(readPrice(cell('startprice'), options), problems, 'StartPrice');
    const isAuction = /^auction$/i.test(cell('format'));
    return {
      ...EMPTY,
      ...money,
      line: row.line,
      externalId: cell('customlabel', 'customlabelsku'),
      title: toPlainText(cell('title')),
      description: toPlainText(cell('description')),
      currency: money.currency ?? currency,
      categories: [cell('categoryname'), cell('category')].filter(Boolean),
      condition: readConditionId(cell('conditionid')),
      location: cell('location'),
      details: listDetails({ brand: cell('cbrand'), color: cell('ccolor', 'ccolour'), size: cell('csize') }),
      imageUrls: readUrls([cell('picurl')]),
      isHidden: cell('quantity') === '0',
      problems: [...money.problems, ...(isAuction ? [AUCTION] : [])],
    };
  }),
};
