import type { ImportField } from '../../../../contract/imports.ts';
import { PRICE_TYPES, type PriceType } from '../../../../contract/prices.ts';
import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd, Problem, ReadingOptions } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import type { TableRow } from '../reading/table.ts';
import {
  addProblem,
  checkCells,
  EMPTY,
  eachItem,
  kindOf,
  listDetails,
  onlyHttps,
  readCondition,
  readPath,
  readUrls,
  type TableFormat,
  toKey,
  withoutNumber,
} from './format.ts';

/** Headings of other programs and languages, as `toKey` writes them. The first that a table has wins. */
const GUESSES: Readonly<Record<ImportField, readonly string[]>> = {
  id: [
    'id',
    'sku',
    'externalid',
    'itemid',
    'adid',
    'listingid',
    'number',
    'reference',
    'artikelnummer',
    'artnr',
    'nummer',
    'referencia',
    'codigo',
  ],
  title: [
    'title',
    'name',
    'headline',
    'subject',
    'titel',
    'titre',
    'titulo',
    'titolo',
    'bezeichnung',
    'nom',
    'nombre',
    'nome',
  ],
  description: [
    'description',
    'text',
    'body',
    'content',
    'details',
    'shortdescription',
    'beschreibung',
    'descripcion',
    'descricao',
    'descrizione',
    'beschrijving',
    'texte',
  ],
  price: [
    'price',
    'regularprice',
    'saleprice',
    'amount',
    'cost',
    'preis',
    'prix',
    'precio',
    'preco',
    'prezzo',
    'prijs',
  ],
  currency: ['currency', 'currencycode', 'wahrung', 'devise', 'moneda', 'moeda', 'valuta'],
  priceType: ['pricetype', 'kindofprice', 'preisart', 'preistyp'],
  category: [
    'category',
    'categories',
    'producttype',
    'type',
    'rubrik',
    'kategorie',
    'categorie',
    'categoria',
    'rubrique',
  ],
  condition: ['condition', 'zustand', 'etat', 'estado', 'condicion', 'condizione', 'staat'],
  location: [
    'location',
    'city',
    'place',
    'town',
    'ort',
    'stadt',
    'standort',
    'ville',
    'lieu',
    'ciudad',
    'cidade',
    'citta',
    'plaats',
  ],
  images: [
    'images',
    'image',
    'photos',
    'photo',
    'pictures',
    'picture',
    'picurl',
    'imageurl',
    'imagelink',
    'foto',
    'fotos',
    'bild',
    'bilder',
    'imagen',
    'imagenes',
    'imagem',
    'immagine',
    'afbeelding',
  ],
  state: ['state', 'status', 'published', 'availability'],
  link: ['link', 'url', 'externallink', 'website', 'adresse'],
  brand: ['brand', 'marke', 'marque', 'marca', 'merk'],
  color: ['color', 'colour', 'farbe', 'couleur', 'kleur', 'cor'],
  size: ['size', 'grosse', 'taille', 'talla', 'tamanho', 'maat'],
};

const fieldOf = (heading: string): ImportField | undefined => {
  const key = withoutNumber(toKey(heading));
  return (Object.keys(GUESSES) as ImportField[]).find((field) => GUESSES[field].includes(key));
};

/** What each heading most likely means. Only photos have several columns. */
export const guessColumns = (headings: readonly string[]): Record<string, ImportField> => {
  const guess: Record<string, ImportField> = {};
  for (const field of Object.keys(GUESSES) as ImportField[]) {
    const meant = headings.filter((heading) => fieldOf(heading) === field);
    const rank = (heading: string) => GUESSES[field].indexOf(withoutNumber(toKey(heading)));
    meant.sort((a, b) => rank(a) - rank(b));
    for (const heading of field === 'images' ? meant : meant.slice(0, 1)) guess[heading] = field;
  }
  return guess;
};

const KINDS: Readonly<Record<string, PriceType>> = {
  ...Object.fromEntries(
    Object.entries(PRICE_TYPES).flatMap(([kind, label]) => [
      [toKey(kind), kind],
      [toKey(label), kind],
    ]),
  ),
  obo: 'negotiable',
  bestoffer: 'negotiable',
  vb: 'negotiable',
  vhb: 'negotiable',
  festpreis: 'fixed',
  giveaway: 'free',
  zuverschenken: 'free',
  kostenlos: 'free',
  gratuit: 'free',
  gratis: 'free',
  gesuch: 'wanted',
} as Record<string, PriceType>;

const HIDDEN = [
  'paused',
  'hidden',
  'draft',
  'inactive',
  'sold',
  'expired',
  'outofstock',
  'soldout',
  'false',
  'no',
  '0',
  'verkauft',
  'pausiert',
  'entwurf',
];

/** The kind of price in words; without them 0 is a gift. */
export const readKind = (text: string, price: string, column: string): { priceType: PriceType; problem?: Problem } => {
  const key = toKey(text);
  if (key === '') return { priceType: kindOf(price) };
  if (Object.hasOwn(KINDS, key)) return { priceType: KINDS[key]! };
  const what = { key: 'mistakes.noKindOfPrice', values: { text: text.slice(0, 50) } } as const;
  const how = { key: 'mistakes.useOrEmpty', values: { values: Object.keys(PRICE_TYPES).join(', ') } } as const;
  return { priceType: 'fixed', problem: { column, what, how } };
};

interface Columns {
  text: (field: ImportField) => string;
  /** The heading of a field, for its problems. */
  name: (field: ImportField) => string;
  images: string[];
}

const mapColumns = ({ headings, cells }: TableRow, columns: Readonly<Record<string, string>>): Columns => {
  const at = (field: ImportField) => headings.findIndex((heading) => columns[heading] === field);
  return {
    text: (field) => (cells[at(field)] ?? '').trim(),
    name: (field) => headings[at(field)] ?? field,
    images: headings.flatMap((heading, index) => (columns[heading] === 'images' ? [cells[index] ?? ''] : [])),
  };
};

/** An ad by what its columns mean: as guessed, or chosen. */
export const readRow = (
  row: TableRow,
  { columns = guessColumns(row.headings), decimal }: ReadingOptions,
): ImportedAd => {
  const { text, name, images } = mapColumns(row, columns);
  const kind = text('priceType');
  const isGift = text('price') === '' && readKind(kind, '', '').priceType === 'free';
  const price = isGift ? { price: '0', currency: null } : readPrice(text('price'), { decimal });
  const { priceType, problem: ofKind } = readKind(kind, price.price, name('priceType'));
  const { condition, problem: ofCondition } = readCondition(text('condition'), name('condition'));
  return {
    ...EMPTY,
    line: row.line,
    externalId: text('id'),
    title: toPlainText(text('title')),
    description: toPlainText(text('description')),
    price: price.price,
    currency: text('currency').toUpperCase() || price.currency,
    priceType,
    categories: readPath(text('category')),
    condition,
    location: text('location'),
    details: listDetails({ brand: text('brand'), color: text('color'), size: text('size') }),
    externalLink: onlyHttps(text('link')),
    imageUrls: readUrls(images),
    isHidden: HIDDEN.includes(toKey(text('state'))),
    names: Object.fromEntries(
      row.headings.flatMap((heading) => (columns[heading] ? [[columns[heading], heading]] : [])),
    ),
    problems: [
      ...addProblem(checkCells(row.headings.length, row.cells), name('price'), price.problem),
      ...[ofKind, ofCondition].filter((problem) => problem !== undefined),
    ],
  };
};

/** Any table with a heading: what its columns mean is guessed, or chosen. */
export const csv: TableFormat = {
  name: 'csv',
  label: 'Table with other columns (CSV, TSV)',
  reads: 'table',
  recognizes: () => true,
  toAds: eachItem(readRow),
};
