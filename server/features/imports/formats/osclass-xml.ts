import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd, ReadingOptions } from '../reading/imported-ad.ts';
import { toPlainText } from '../reading/plain-text.ts';
import { findAll, textOf, type XmlNode } from '../reading/xml.ts';
import { EMPTY, eachItem, nameByContent, readUrls, withKind, type XmlFormat } from './format.ts';

/** The first of several languages: an ad is one ad, in however many it is written. */
const toAd = (node: XmlNode, options: ReadingOptions): ImportedAd => {
  const text = (name: string) => textOf(node, name);
  const price = readPrice(text('price'), options);
  const content = {
    ...EMPTY,
    ...withKind(price, [], 'price'),
    title: toPlainText(text('title')),
    description: toPlainText(text('content')),
    currency: text('currency').toUpperCase() || price.currency,
    categories: [text('category'), text('categoryid')].filter(Boolean),
    // "city_area" is left out: people keep telephone numbers in it
    location: [...new Set([text('city'), text('region')])].filter(Boolean).join(', '),
    imageUrls: readUrls(findAll(node, 'image').map((image) => image.text)),
  };
  return { ...content, line: node.line, externalId: nameByContent(content, text('contactemail'), text('datetime')) };
};

/** What Osclass's importer reads. */
export const osclassXml: XmlFormat = {
  name: 'osclass-xml',
  label: 'Osclass importer (XML)',
  reads: 'xml',
  record: 'listing',
  recognizes: (root, names) => root === 'listings' && names.has('content'),
  toAds: eachItem(toAd),
};
