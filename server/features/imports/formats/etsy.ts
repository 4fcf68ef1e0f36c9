import { readPrice } from '../reading/amounts.ts';
import { readEntities } from '../reading/plain-text.ts';
import type { TableRow } from '../reading/table.ts';
import { checkCells, EMPTY, eachItem, readUrls, type TableFormat, toKey, withKind } from './format.ts';

/** The headings are in the language of the account, and their order is the same. */
const KEYS = {
  title: ['title', 'titre', 'titel', 'titulo', 'titolo'],
  description: ['description', 'beschreibung', 'descripcion', 'descrizione', 'beschrijving', 'descricao'],
  price: ['price', 'prix', 'preis', 'precio', 'prezzo', 'prijs', 'preco'],
  currency: [
    'currencycode',
    'codedevise',
    'wahrungscode',
    'codigodedivisa',
    'codicevaluta',
    'valutacode',
    'codigodamoeda',
  ],
  quantity: ['quantity', 'quantite', 'anzahl', 'menge', 'cantidad', 'quantita', 'aantal', 'quantidade'],
  sku: ['sku', 'reference', 'artikelnummer', 'referencia', 'riferimento'],
};
type Field = keyof typeof KEYS;

/** Marks of letters are no part of a key here. */
const toPlainKey = (heading: string): string => toKey(heading).replace(/\p{M}/gu, '');

const listImages = ({ headings, cells }: TableRow): string[] =>
  headings.flatMap((heading, at) =>
    /^(image|bild|imagen|immagine|afbeelding|imagem)\s*\d+$/i.test(heading) ? [cells[at] ?? ''] : [],
  );

/** What Etsy's shop manager downloads. */
export const etsy: TableFormat = {
  name: 'etsy',
  label: 'Etsy listings (CSV)',
  reads: 'table',
  recognizes: (_, { headings }) => {
    const keys = headings.map(toPlainKey);
    return (
      KEYS.currency.some((key) => keys.includes(key)) &&
      keys.some((key) => /^(image|bild|imagen|immagine|afbeelding|imagem)1$/.test(key))
    );
  },
  toAds: eachItem((row, options) => {
    const keys = row.headings.map(toPlainKey);
    const text = (field: Field) => (row.cells[keys.findIndex((key) => KEYS[field].includes(key))] ?? '').trim();
    const [title, description] = [readEntities(text('title')), readEntities(text('description'))];
    const priceColumn = row.headings[keys.findIndex((key) => KEYS.price.includes(key))] ?? '';
    const cells = checkCells(row.headings.length, row.cells);
    const money = withKind(readPrice(text('price'), options), cells, priceColumn);
    return {
      ...EMPTY,
      ...money,
      line: row.line,
      externalId: text('sku'),
      title,
      description,
      currency: text('currency').toUpperCase() || money.currency,
      imageUrls: readUrls(listImages(row)),
      isHidden: text('quantity') === '0',
    };
  }),
};
