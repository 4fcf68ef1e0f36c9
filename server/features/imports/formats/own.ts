import { CONDITIONS, type Condition } from '../../../../contract/conditions.ts';
import { restoreFormula } from '../../../../contract/csv.ts';
import { OWN_COLUMNS, type OwnColumn } from '../../../../contract/own-ads.ts';
import { PRICE_TYPES, type PriceType } from '../../../../contract/prices.ts';
import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd, Problem, ReadingOptions } from '../reading/imported-ad.ts';
import { parseJson } from '../reading/json.ts';
import { guessColumns, readRow } from './csv.ts';
import {
  addProblem,
  checkCells,
  EMPTY,
  eachItem,
  type JsonFormat,
  kindOf,
  readUrls,
  type TableFormat,
  toKey,
  toUnread,
} from './format.ts';

type Values = Readonly<Partial<Record<OwnColumn, unknown>>>;

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const oneOf = <Value extends string>(values: object, value: string): value is Value => Object.hasOwn(values, value);

const unknown = (column: OwnColumn, value: string, known: object): Problem => ({
  column,
  what: { key: 'mistakes.notKnown', values: { text: value.slice(0, 50) } },
  how: { key: 'mistakes.use', values: { values: Object.keys(known).join(', ') } },
});

/** Longer ones have more than any category. */
const MAX_DETAILS = 20_000;

const readDetails = (given: unknown): Record<string, string> | undefined => {
  let value = given;
  if (typeof given === 'string') {
    if (given.length > MAX_DETAILS) return undefined;
    try {
      value = parseJson(given || '{}');
    } catch {
      return undefined;
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value === undefined ? {} : undefined;
  return Object.fromEntries(Object.entries(value).map(([key, detail]) => [key, textOf(detail)]));
};

const BAD_DETAILS: Problem = {
  column: 'details',
  what: { key: 'mistakes.notReadable' },
  how: { key: 'mistakes.writeDetails' },
};

const toAd = (line: number, values: Values, before: readonly Problem[], options: ReadingOptions = {}): ImportedAd => {
  const text = (column: OwnColumn) => textOf(values[column]);
  const problems = [...before];
  // a number of JSON has its own decimal sign
  const { price, problem } = readPrice(text('price'), typeof values.price === 'number' ? {} : options);
  const priceType = text('priceType') || kindOf(price);
  if (!oneOf<PriceType>(PRICE_TYPES, priceType)) problems.push(unknown('priceType', priceType, PRICE_TYPES));
  const condition = text('condition');
  if (condition && !oneOf<Condition>(CONDITIONS, condition)) problems.push(unknown('condition', condition, CONDITIONS));
  const details = readDetails(values.details);
  if (!details) problems.push(BAD_DETAILS);
  return {
    ...EMPTY,
    line,
    externalId: text('id'),
    title: text('title'),
    description: text('description'),
    price,
    currency: text('currency') || null,
    priceType: oneOf<PriceType>(PRICE_TYPES, priceType) ? priceType : 'fixed',
    categories: [text('category')].filter(Boolean),
    condition: oneOf<Condition>(CONDITIONS, condition) ? condition : null,
    location: text('location'),
    placeId: text('placeId') || null,
    details: details ?? {},
    externalLink: text('externalLink') || null,
    allowMessages: values.allowMessages !== false && text('allowMessages') !== 'false',
    imageUrls: Array.isArray(values.images) ? values.images.map(textOf).filter(Boolean) : readUrls([text('images')]),
    isHidden: text('state') !== '' && text('state') !== 'active',
    problems: addProblem(problems, 'price', problem),
  };
};

/** An ad of this marketplace as its own export has it. */
export const readOwnValues = (values: Values): ImportedAd => toAd(0, values, []);

export const ownTable: TableFormat = {
  name: 'tradepost',
  label: 'Downloaded from here or another Tradepost (CSV)',
  reads: 'table',
  recognizes: (keys) =>
    (['id', 'title', 'price', 'pricetype', 'allowmessages', 'state'] as const).every((key) => keys.has(key)),
  toAds: eachItem(({ line, headings, cells }, options) => {
    const columns = OWN_COLUMNS.map(
      (column) => [column, headings.findIndex((heading) => toKey(heading) === toKey(column))] as const,
    );
    const values = Object.fromEntries(columns.map(([column, at]) => [column, restoreFormula(cells[at] ?? '')]));
    return toAd(line, values, checkCells(headings.length, cells), options);
  }),
};

type Item = Readonly<Record<string, unknown>>;

/** Only this marketplace's own ads have these. */
const isOwn = (item: Item): boolean =>
  ['priceType', 'allowMessages', 'placeId'].some((key) => Object.hasOwn(item, key)) ||
  typeof item.details === 'object' ||
  Object.keys(item).every((key) => (OWN_COLUMNS as readonly string[]).includes(key));

/** No ad has more. */
const MAX_KEYS = 200;
const MAX_LIST = 100;

const toCell = (value: unknown): string => {
  if (Array.isArray(value)) {
    const texts = value.slice(0, MAX_LIST).map(toCell).filter(Boolean);
    return texts.join(texts.every((text) => text.startsWith('http')) ? ' ' : ' > ');
  }
  if (typeof value === 'object' && value !== null) {
    const { url, src, name } = value as Item;
    return textOf(url ?? src ?? name);
  }
  return typeof value === 'boolean' ? String(value) : textOf(value);
};

/** An object of another program: its keys mean what headings of a table mean. */
const readOther = (line: number, item: Item, { decimal, ...options }: ReadingOptions): ImportedAd => {
  const headings = Object.keys(item).slice(0, MAX_KEYS);
  const row = { line, headings, cells: headings.map((heading) => toCell(item[heading])) };
  const columns = options.columns ?? guessColumns(headings);
  const hasNumber = headings.some((heading) => columns[heading] === 'price' && typeof item[heading] === 'number');
  return readRow(row, { ...options, columns, ...(decimal && !hasNumber && { decimal }) });
};

const NO_OBJECT: Problem = {
  column: '',
  what: { key: 'mistakes.noAd' },
  how: { key: 'mistakes.adHasTitle' },
};

export const ownJson: JsonFormat = {
  name: 'tradepost',
  label: 'Downloaded from here or another Tradepost (JSON)',
  reads: 'json',
  recognizes: () => true,
  toAds: eachItem(({ line, value }, options) =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? toUnread(line, NO_OBJECT)
      : isOwn(value as Item)
        ? toAd(line, value, [], options)
        : readOther(line, value as Item, options),
  ),
};
