import { createHash } from 'node:crypto';
import type { Condition } from '../../../../contract/conditions.ts';
import type { PriceType } from '../../../../contract/prices.ts';
import type { ReadPrice } from '../reading/amounts.ts';
import type { ImportedAd, Problem, ReadingOptions } from '../reading/imported-ad.ts';
import type { JsonItem } from '../reading/json.ts';
import type { TableRow } from '../reading/table.ts';
import type { XmlNode } from '../reading/xml.ts';

interface Named {
  /** What `--format` calls it. Ads are known by it, and by what the file calls them: it never changes. */
  name: string;
  label: string;
}

/** A row, an element or a value of a file. */
interface ReadItem {
  line: number;
  /** Why it cannot be read. */
  problem?: Problem;
}

type ToAds<Item> = (items: AsyncIterable<Item>, options: ReadingOptions) => AsyncIterable<ImportedAd>;

export interface TableFormat extends Named {
  reads: 'table';
  /** By the headings as `toKey` writes them, and the cells of the first row. */
  recognizes: (keys: ReadonlySet<string>, first: TableRow) => boolean;
  toAds: ToAds<TableRow>;
}

export interface XmlFormat extends Named {
  reads: 'xml';
  /** The name of the element of an ad. */
  record: string;
  recognizes: (root: string, names: ReadonlySet<string>) => boolean;
  toAds: ToAds<XmlNode>;
}

export interface JsonFormat extends Named {
  reads: 'json';
  recognizes: (head: string) => boolean;
  toAds: ToAds<JsonItem>;
}

/** How the files of one program describe ads. */
export type Format = TableFormat | XmlFormat | JsonFormat;

/** A heading without case, blanks and signs: "*Title" and "TITLE" are "title". */
export const toKey = (heading: string): string =>
  heading
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** A key without the number at its end: "image2" is "image". */
export const withoutNumber = (key: string): string => {
  let end = key.length;
  while (end > 0 && key[end - 1]! >= '0' && key[end - 1]! <= '9') end -= 1;
  return key.slice(0, end);
};

/** Titles that are remembered of a file: what comes later is named by all that it says. */
const MAX_TITLES = 100_000;

/**
 * Names ads to which their file gives no name by their titles, so that another run knows them by those whatever else changed. Of
 * several with one title this names the first: '' for the others, whose content is their name.
 */
const createNames = (): ((title: string) => string) => {
  const seen = new Set<string>();
  return (title) => {
    const name = title === '' ? '' : nameByContent(title);
    if (seen.has(name) || seen.size >= MAX_TITLES) return '';
    seen.add(name);
    return name;
  };
};

/** Ads of items that are an ad each; null for one that is none. What could not be read is an ad with its mistake. */
export const eachItem = <Item extends ReadItem>(
  toAd: (item: Item, options: ReadingOptions) => ImportedAd | null,
): ToAds<Item> =>
  async function* (items, options) {
    const toName = createNames();
    for await (const item of items) {
      const ad = item.problem ? toUnread(item.line, item.problem) : toAd(item, options);
      if (ad) yield ad.externalId === '' ? { ...ad, externalId: toName(ad.title) } : ad;
    }
  };

export const EMPTY: Omit<ImportedAd, 'line'> = {
  externalId: '',
  title: '',
  description: '',
  price: '',
  currency: null,
  priceType: 'fixed',
  categories: [],
  condition: null,
  location: '',
  placeId: null,
  details: {},
  externalLink: null,
  allowMessages: true,
  imageUrls: [],
  isHidden: false,
  names: {},
  problems: [],
  isUnread: false,
};

/** What stands where an ad should be, and is none. */
export const toUnread = (line: number, problem: Problem): ImportedAd => ({
  ...EMPTY,
  line,
  problems: [problem],
  isUnread: true,
});

/** Where the first heading with each key is, by the headings: those of a file are the same for all of its rows. */
const places = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

const findPlaces = (headings: readonly string[]): ReadonlyMap<string, number> => {
  const known = places.get(headings);
  if (known) return known;
  // of two with one key the first counts
  const found = new Map(headings.map((heading, at) => [toKey(heading), at] as const).reverse());
  places.set(headings, found);
  return found;
};

/** The cells of a row by the keys of their headings. Reports a row whose cells are not those of the headings. */
export const readCells = ({
  headings,
  cells,
  problem,
}: TableRow): { cell: (...keys: string[]) => string; problems: Problem[] } => {
  const byKey = findPlaces(headings);
  const textOf = (key: string) => (cells[byKey.get(key) ?? -1] ?? '').trim();
  return {
    cell: (...keys) => keys.map(textOf).find((text) => text !== '') ?? '',
    problems: problem ? [problem] : checkCells(headings.length, cells),
  };
};

/** Cells are never moved, so their number is that of the headings. */
export const checkCells = (headings: number, cells: readonly string[]): Problem[] => {
  if (cells.length === headings) return [];
  const what = { key: 'mistakes.cells', values: { cells: cells.length, headings } } as const;
  return [{ column: '', what, how: { key: 'mistakes.fillCells' } }];
};

export const addProblem = (problems: readonly Problem[], column: string, problem: ReadPrice['problem']): Problem[] =>
  problem ? [...problems, { column, ...problem }] : [...problems];

/** The kind of a price where the file says none: 0 is a gift. */
export const kindOf = (price: string): PriceType => (price !== '' && Number(price) === 0 ? 'free' : 'fixed');

/** A price of a format that has no kinds of price. */
export const withKind = ({ price, currency, problem }: ReadPrice, problems: readonly Problem[], column: string) => ({
  price,
  currency,
  priceType: kindOf(price),
  problems: addProblem(problems, column, problem),
});

/** The words of other sites for the condition of a thing. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  new: 'new',
  newcondition: 'new',
  likenew: 'like_new',
  refurbished: 'like_new',
  refurbishedcondition: 'like_new',
  asnew: 'like_new',
  used: 'good',
  usedcondition: 'good',
  good: 'good',
  fair: 'fair',
  damaged: 'for_parts',
  damagedcondition: 'for_parts',
  forparts: 'for_parts',
  neu: 'new',
  wieneu: 'like_new',
  gebraucht: 'good',
  gut: 'good',
  neuf: 'new',
  occasion: 'good',
  nuevo: 'new',
  usado: 'good',
};

export const readCondition = (
  text: string,
  column: string,
): { condition: Condition | null; problem: Problem | undefined } => {
  const key = toKey(text.replace(/^https?:\/\/schema\.org\//, ''));
  if (key === '') return { condition: null, problem: undefined };
  if (Object.hasOwn(CONDITIONS, key)) return { condition: CONDITIONS[key]!, problem: undefined };
  const what = { key: 'mistakes.noCondition', values: { text: text.slice(0, 50) } } as const;
  return { condition: null, problem: { column, what, how: { key: 'mistakes.useConditions' } } };
};

/** "Home > Furniture > Tables" from the narrowest to the widest word, then the whole. */
export const readPath = (path: string): string[] => {
  const parts = path
    .split(/>|\/\/|»|→/)
    .map((part) => part.trim())
    .filter(Boolean)
    .reverse();
  return parts.length > 1 ? [...parts, path.trim()] : parts;
};

const SEPARATORS = ' ,|\t\r\n';

const dropSeparators = (text: string): string => {
  let end = text.length;
  while (end > 0 && SEPARATORS.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
};

/** Addresses one after the other, each once. An address may contain a comma. */
export const readUrls = (texts: readonly string[]): string[] => [
  ...new Set(
    texts
      .flatMap((text) => text.split(/(?=https?:\/\/)/i))
      .map(dropSeparators)
      .filter(Boolean),
  ),
];

export const onlyHttps = (url: string): string | null => (/^https:\/\//i.test(url) ? url : null);

/** The details that are not empty. */
export const listDetails = (details: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ''));

/** A name for what has none: of its content, or of those parts that do not change. */
export const nameByContent = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
