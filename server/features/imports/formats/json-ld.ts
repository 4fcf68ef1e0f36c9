import { readPrice } from '../reading/amounts.ts';
import type { ImportedAd, Problem, ReadingOptions } from '../reading/imported-ad.ts';
import type { JsonItem } from '../reading/json.ts';
import { toPlainText } from '../reading/plain-text.ts';
import {
  addProblem,
  EMPTY,
  eachItem,
  type JsonFormat,
  kindOf,
  listDetails,
  onlyHttps,
  readCondition,
  readPath,
  readUrls,
  toUnread,
} from './format.ts';

type Thing = Readonly<Record<string, unknown>>;

const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

const firstThing = (value: unknown): Thing => listOf(value).find(isThing) ?? {};

/** A text, a number, or the name of a thing. */
const textOf = (value: unknown): string => {
  const [first] = listOf(value);
  if (typeof first === 'string') return first.trim();
  if (typeof first === 'number') return String(first);
  return isThing(first) ? textOf(first.name ?? first['@value']) : '';
};

const hasType = ({ '@type': type }: Thing, ...names: string[]): boolean =>
  listOf(type).some(
    (name) => typeof name === 'string' && names.includes(name.replace(/^(https?:\/\/schema\.org\/|schema:)/, '')),
  );

const toUrl = (image: unknown): string => (isThing(image) ? textOf(image.contentUrl ?? image.url) : textOf(image));

/** The offer, and what is offered. */
const split = (item: Thing): { offer: Thing; product: Thing } => {
  if (!hasType(item, 'Offer', 'Demand')) return { offer: firstThing(item.offers), product: item };
  const offered = firstThing(item.itemOffered);
  return { offer: item, product: { ...item, ...offered } };
};

const toAd = ({ line, value }: JsonItem, options: ReadingOptions): ImportedAd | null => {
  const listed = isThing(value) && hasType(value, 'ListItem') ? firstThing(value.item) : value;
  if (!isThing(listed)) return toUnread(line, notAnAd);
  if (!hasType(listed, 'Product', 'ProductGroup', 'IndividualProduct', 'Offer', 'Demand', 'Vehicle', 'Car'))
    return null;
  const { offer, product } = split(listed);
  const specification = firstThing(offer.priceSpecification);
  const said = offer.price ?? offer.lowPrice ?? specification.price;
  const price = readPrice(textOf(said), typeof said === 'number' ? {} : options);
  const { condition, problem } = readCondition(textOf(offer.itemCondition ?? product.itemCondition), 'itemCondition');
  const isDemand = hasType(listed, 'Demand');
  return {
    ...EMPTY,
    line,
    externalId: textOf(product.sku) || textOf(product['@id']) || textOf(offer.url ?? product.url),
    title: toPlainText(textOf(product.name)),
    description: toPlainText(textOf(product.description)),
    price: price.price,
    currency: textOf(offer.priceCurrency ?? specification.priceCurrency).toUpperCase() || price.currency,
    priceType: isDemand ? 'wanted' : kindOf(price.price),
    categories: readPath(textOf(product.category ?? offer.category)),
    condition,
    details: listDetails({
      brand: textOf(product.brand),
      model: textOf(product.model),
      color: textOf(product.color),
      size: textOf(product.size),
      material: textOf(product.material),
    }),
    externalLink: onlyHttps(textOf(offer.url ?? product.url)),
    imageUrls: readUrls(listOf(product.image).map(toUrl)),
    isHidden: /(OutOfStock|SoldOut|Discontinued)$/.test(textOf(offer.availability)),
    problems: [...addProblem([], 'price', price.problem), ...(problem ? [problem] : [])],
  };
};

const notAnAd: Problem = {
  column: '',
  what: { key: 'mistakes.noAd' },
  how: { key: 'mistakes.adHasName' },
};

/** Products and demands of Schema.org, as a file or in the HTML of a page. Other things are no ads, and no mistakes. */
export const jsonLd: JsonFormat = {
  name: 'json-ld',
  label: 'Schema.org, JSON-LD (also in a page)',
  reads: 'json',
  recognizes: (head) => head.includes('"@type"') || head.startsWith('<'),
  toAds: eachItem(toAd),
};
