import { readPrice } from '../reading/amounts.ts';
import { fromBBCode, toPlainText } from '../reading/plain-text.ts';
import { EMPTY, eachItem, nameByContent, readCells, readUrls, type TableFormat, withKind } from './format.ts';

const orNothing = (text: string): string => (text === 'NULL' ? '' : text);

/** What Yclas (Open Classifieds) exports and reads. An ad has no name but its seller, title and date. */
export const yclas: TableFormat = {
  name: 'yclas',
  label: 'Yclas ads (CSV)',
  reads: 'table',
  recognizes: (keys) => keys.has('username') && keys.has('useremail') && keys.has('title'),
  toAds: eachItem((row, options) => {
    const { cell, problems } = readCells(row);
    const text = (key: string) => orNothing(cell(key));
    const images = row.headings.flatMap((heading, at) =>
      /^image_\d+$/.test(heading) ? [orNothing(row.cells[at] ?? '')] : [],
    );
    return {
      ...EMPTY,
      ...withKind(readPrice(text('price'), options), problems, 'price'),
      line: row.line,
      externalId: nameByContent(text('useremail') || text('username'), text('title'), text('date')),
      title: toPlainText(text('title')),
      description: toPlainText(fromBBCode(text('description'))),
      categories: [text('category')].filter(Boolean),
      location: text('location'),
      imageUrls: readUrls(images),
      isHidden: text('stock') === '0',
    };
  }),
};
