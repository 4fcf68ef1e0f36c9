import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';

/** What a copy of a sample says, and where its photos are. */
interface Copy {
  /** Behind ids and titles: what tells the copies apart. */
  mark: string;
  /** Behind descriptions. */
  more: string;
  toPhoto: (name: string) => string;
}

export interface Sample {
  /** Below server/features/imports/fixtures. */
  file: string;
  /** What one copy of it has, on a marketplace with its currency (USD, if the format can say it): ads that come in, those of them that are shown, those with photos. */
  right: number;
  wrong: number;
  shown: number;
  photos: number;
  /** Ads that are others when their text changes: the file has no other name for them. */
  renamed?: number;
  decimal?: 'comma';
  write: (text: string, copies: readonly Copy[]) => string;
}

const toPhotos = (text: string, { toPhoto }: Copy): string =>
  text.replace(/https:\/\/pictures\.example\/([\w.-]+)(?:\?[\w=&;]*)?/g, (_, name: string) => toPhoto(name));

interface Columns {
  id?: string;
  /** Has the id of another row. */
  parent?: string;
  title: string;
  description: string;
  delimiter?: string;
}

/** Puts something behind what a cell says, and nothing into an empty one. */
const append = (cell: string, end: string): string => (['', 'NULL'].includes(cell) ? cell : cell + end);

const writeTable =
  ({ id, parent, title, description, delimiter = ',' }: Columns): Sample['write'] =>
  (text, copies) => {
    // the feed has bare quotation marks, and no cell of several lines
    const isPlain = delimiter === '\t';
    const read = isPlain
      ? text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]))
      : (parse(text, { delimiter, relax_column_count: true }) as string[][]);
    const [head, ...rows] = read as [string[], ...string[][]];
    const at = (name: string) => head.indexOf(name);
    const ids = [id, parent].flatMap((name) => name ?? []).map(at);
    const places = { title: at(title), description: at(description) };
    const grown = copies.flatMap((copy) =>
      rows.map((row) =>
        row.map((cell, index) => {
          if (ids.includes(index)) return append(cell, copy.mark);
          if (index === places.title) return append(cell, ` ${copy.mark}`);
          if (index === places.description) return append(cell, copy.more);
          return toPhotos(cell, copy);
        }),
      ),
    );
    return isPlain
      ? `${[head, ...grown].map((row) => row.join('\t')).join('\n')}\n`
      : stringify([head, ...grown], { delimiter });
  };

/** `id` and the others are elements; the text of `description` may be CDATA. */
const writeXml =
  (record: string, { id, title, description }: Columns): Sample['write'] =>
  (text, copies) => {
    const pattern = new RegExp(`<${record}>[\\s\\S]*?</${record}>`, 'g');
    const records = text.match(pattern) ?? [];
    const into = (element: string, end: string, source: string) =>
      source.replace(new RegExp(`(\\]\\]>)?</${element}>`, 'g'), (close) => end + close);
    const grown = copies.map((copy) =>
      records
        .map((one) => into(title, ` ${copy.mark}`, into(description, copy.more, toPhotos(one, copy))))
        .map((one) => (id ? into(id, copy.mark, one) : one))
        .join('\n'),
    );
    const [before] = text.split(`<${record}>`, 1);
    const after = text.slice(text.lastIndexOf(`</${record}>`) + record.length + 3);
    return before + grown.join('\n') + after;
  };

type Thing = Record<string, unknown>;

const writeJsonLd: Sample['write'] = (text, copies) => {
  const file = JSON.parse(text) as { '@graph': Thing[] };
  const toThing = (thing: Thing, { mark, more }: Copy): Thing => ({
    ...thing,
    ...(thing['@id'] !== undefined && { '@id': `${thing['@id']}${mark}` }),
    ...(thing.sku !== undefined && { sku: `${thing.sku}${mark}` }),
    name: `${thing.name} ${mark}`,
    ...(thing.description !== undefined && { description: `${thing.description}${more}` }),
  });
  const grown = copies.flatMap((copy) =>
    file['@graph'].map((thing) => JSON.parse(toPhotos(JSON.stringify(toThing(thing, copy)), copy))),
  );
  return JSON.stringify({ ...file, '@graph': grown });
};

/** A sample of each format of a shop, with what is right and wrong in it. */
export const SHOP_SAMPLES: readonly Sample[] = [
  {
    file: 'icas/seller-feed.tsv',
    right: 4,
    wrong: 3,
    shown: 3,
    photos: 3,
    write: writeTable({ id: 'vendor id', title: 'title', description: 'description', delimiter: '\t' }),
  },
  {
    file: 'icas/seller-feed.xml',
    right: 2,
    wrong: 1,
    shown: 2,
    photos: 1,
    write: writeXml('ad', { id: 'vendorId', title: 'title', description: 'description' }),
  },
  {
    file: 'osclass-xml/listings.xml',
    right: 2,
    wrong: 1,
    shown: 2,
    photos: 1,
    renamed: 2,
    write: writeXml('listing', { title: 'title', description: 'content' }),
  },
  {
    file: 'yclas/ads.csv',
    right: 3,
    wrong: 1,
    shown: 3,
    photos: 1,
    write: writeTable({ title: 'title', description: 'description' }),
  },
  {
    file: 'google/products.tsv',
    right: 3,
    wrong: 1,
    shown: 2,
    photos: 3,
    write: writeTable({ id: 'id', title: 'title', description: 'description', delimiter: '\t' }),
  },
  {
    file: 'google/products.rss.xml',
    right: 2,
    wrong: 0,
    shown: 2,
    photos: 2,
    write: writeXml('item', { id: 'g:id', title: 'title', description: 'description' }),
  },
  {
    file: 'ebay/file-exchange.csv',
    right: 2,
    wrong: 1,
    shown: 2,
    photos: 2,
    write: writeTable({ id: 'CustomLabel', title: '*Title', description: '*Description' }),
  },
  {
    file: 'etsy/EtsyListingsDownload.csv',
    right: 2,
    wrong: 1,
    shown: 1,
    photos: 2,
    write: writeTable({ id: 'SKU', title: 'TITLE', description: 'DESCRIPTION' }),
  },
  {
    file: 'etsy/EtsyListingsDownload-fr.csv',
    right: 1,
    wrong: 1,
    shown: 1,
    photos: 1,
    write: writeTable({ id: 'RÉFÉRENCE', title: 'TITRE', description: 'DESCRIPTION' }),
  },
  {
    file: 'shopify/products.csv',
    right: 2,
    wrong: 1,
    shown: 1,
    photos: 1,
    write: writeTable({ id: 'Handle', title: 'Title', description: 'Body (HTML)' }),
  },
  {
    file: 'woocommerce/products.csv',
    right: 3,
    wrong: 1,
    shown: 2,
    photos: 2,
    write: writeTable({ id: 'SKU', parent: 'Parent', title: 'Name', description: 'Description' }),
  },
  {
    file: 'trovit/ads.xml',
    right: 1,
    wrong: 0,
    shown: 1,
    photos: 1,
    write: writeXml('ad', { id: 'id', title: 'title', description: 'content' }),
  },
  { file: 'schema-org/products.json', right: 3, wrong: 0, shown: 3, photos: 2, write: writeJsonLd },
  {
    file: 'csv/plain.csv',
    right: 4,
    wrong: 0,
    shown: 4,
    photos: 1,
    write: writeTable({ id: 'id', title: 'title', description: 'description' }),
  },
  {
    file: 'csv/german-headings.csv',
    right: 2,
    wrong: 1,
    shown: 2,
    photos: 1,
    decimal: 'comma',
    write: writeTable({ id: 'Artikelnummer', title: 'Titel', description: 'Beschreibung', delimiter: ';' }),
  },
];

/** Samples of formats whose prices are roubles. */
export const ROUBLE_SAMPLES: readonly Sample[] = [
  {
    file: 'avito/autoload.xml',
    right: 1,
    wrong: 1,
    shown: 1,
    photos: 1,
    write: writeXml('Ad', { id: 'Id', title: 'Title', description: 'Description' }),
  },
];

export interface ShopFile {
  from: number;
  to: number;
  /** Copies below this number say more in their descriptions. */
  changed?: number;
  /** Where photos are: `${photos}/${number}.jpg`. */
  photos: string;
}

/** A file of copies of the sample, from number `from` on. Photos of a copy have numbers one after the other. */
export const writeShopFile = ({ file, write }: Sample, { from, to, changed = 0, photos }: ShopFile): string => {
  const text = readFileSync(new URL(`../../server/features/imports/fixtures/${file}`, import.meta.url), 'utf8');
  const copies = Array.from({ length: to - from }, (_, index): Copy => {
    const copy = from + index;
    const names: string[] = [];
    const toPhoto = (name: string) => {
      if (!names.includes(name)) names.push(name);
      return `${photos}/${copy * 20 + names.indexOf(name)}.jpg`;
    };
    return { mark: `no${copy}`, more: copy < changed ? ' Now with more.' : '', toPhoto };
  });
  return write(text, copies);
};
