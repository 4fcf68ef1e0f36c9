import { readPrice } from '../reading/amounts.ts';
import { toPlainText } from '../reading/plain-text.ts';
import { findAll, textOf } from '../reading/xml.ts';
import { EMPTY, eachItem, listDetails, onlyHttps, readUrls, withKind, type XmlFormat } from './format.ts';

/** The feed that sites give to Trovit, Mitula and their kin. */
export const trovit: XmlFormat = {
  name: 'trovit',
  label: 'Feed for Trovit or Mitula (XML)',
  reads: 'xml',
  record: 'ad',
  recognizes: (root) => root === 'trovit',
  toAds: eachItem((node, options) => {
    const text = (name: string) => textOf(node, name);
    const pictures = findAll(node, 'pictures').flatMap((all) => findAll(all, 'picture'));
    return {
      ...EMPTY,
      ...withKind(readPrice(text('price'), options), [], 'price'),
      line: node.line,
      externalId: text('id') || text('url'),
      title: toPlainText(text('title')),
      description: toPlainText(text('content')),
      categories: [text('category')].filter(Boolean),
      location: [...new Set([text('city'), text('region')])].filter(Boolean).join(', '),
      details: listDetails({ make: text('make'), model: text('model') }),
      externalLink: onlyHttps(text('url')),
      imageUrls: readUrls(pictures.map((picture) => textOf(picture, 'picture_url'))),
    };
  }),
};
