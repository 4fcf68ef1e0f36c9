import type { Condition } from '../../../../contract/conditions.ts';
import { readPrice } from '../reading/amounts.ts';
import { toPlainText } from '../reading/plain-text.ts';
import { findAll, textOf } from '../reading/xml.ts';
import { EMPTY, eachItem, readUrls, withKind, type XmlFormat } from './format.ts';

const CONDITIONS: Readonly<Record<string, Condition>> = { Новое: 'new', 'Б/у': 'good' };

/** What Avito's autoload reads. Its prices are roubles. */
export const avito: XmlFormat = {
  name: 'avito',
  label: 'Avito autoload (XML)',
  reads: 'xml',
  record: 'Ad',
  recognizes: (root, names) => root === 'Ads' && names.has('Ad'),
  toAds: eachItem((node, options) => {
    const text = (name: string) => textOf(node, name);
    const images = findAll(node, 'Images').flatMap((all) => findAll(all, 'Image'));
    const condition = text('Condition');
    return {
      ...EMPTY,
      ...withKind(readPrice(text('Price'), options), [], 'Price'),
      currency: 'RUB',
      line: node.line,
      externalId: text('Id'),
      title: toPlainText(text('Title')),
      description: toPlainText(text('Description')),
      categories: [text('GoodsType'), text('Category')].filter(Boolean),
      condition: Object.hasOwn(CONDITIONS, condition) ? CONDITIONS[condition]! : null,
      location: [...new Set([text('City'), text('Region')])].filter(Boolean).join(', '),
      imageUrls: readUrls(images.map(({ attributes }) => attributes.url ?? '')),
    };
  }),
};
