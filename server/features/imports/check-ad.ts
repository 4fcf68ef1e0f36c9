import { createHash } from 'node:crypto';
import { type AdInput, CreateAdBody } from '../../../contract/ads.ts';
import { padAmount } from '../../../contract/amount-rules.ts';
import { checkDetails, getAttributes } from '../../../contract/attributes.ts';
import type { TextKey } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { getMoney } from '../../../contract/money.ts';
import { PRICE_RULES } from '../../../contract/prices.ts';
import { isWebUrl } from '../../../contract/scalars.ts';
import { cleanText, cutText, maxUncleaned } from '../../../contract/text.ts';
import type { ErrorPhrase } from '../../error-phrases.ts';
import { checkPhrased } from './check-phrased.ts';
import type { ImportedAd, Problem } from './reading/imported-ad.ts';
import { parseMediaPath } from './reading/media-url.ts';

/** What an ad must fit. */
export interface Market {
  /** By slug and by name, in lower case. */
  categories: ReadonlyMap<string, string>;
  maxImages: number;
  /** Where this marketplace is: the addresses of its own photos begin with it. */
  publicUrl: string;
  /** Photos may be files in a folder of the operator. */
  takesFiles?: boolean;
}

/** What the person chose for the whole file. */
export interface Choices {
  /** Slugs by the words of the file; '' is for ads without a category. */
  categories: Readonly<Record<string, string>>;
  /** Cuts texts that are too long, instead of refusing them. */
  truncate: boolean;
}

/** What becomes an ad: valid texts, the slug of a category, and addresses of photos. */
export type Content = Omit<AdInput, 'version'> & { isHidden: boolean };

export interface CheckedAd {
  line: number;
  externalId: string;
  title: string;
  /** Undefined if there are problems. */
  content: Content | undefined;
  problems: Problem[];
  /** What is left out without making the ad wrong. */
  notes: ErrorPhrase[];
  /** The word for a category that nobody knows here. */
  unknownCategory: string | undefined;
}

const MAX_ID = 200;

/** The category that one of these words means: the choice of the person counts, then the names here. */
export const resolveCategory = (
  words: readonly string[],
  { categories: known }: Pick<Market, 'categories'>,
  { categories: chosen }: Pick<Choices, 'categories'>,
): string | undefined => {
  const all = words.length > 0 ? words : [''];
  const found = all.map((word) => (Object.hasOwn(chosen, word) ? chosen[word] : undefined) ?? word);
  return found.map((word) => known.get(word.trim().toLowerCase())).find((slug) => slug !== undefined);
};

const HOW: Readonly<Record<string, TextKey>> = {
  title: 'mistakes.everyAdNeedsOne',
  description: 'mistakes.everyAdNeedsOne',
  placeId: 'mistakes.placeId',
};

const isTooLong = (ad: ImportedAd, field: 'title' | 'description' | 'location'): boolean =>
  [...ad[field]].length > LIMITS[field];

/** The rules of the form, with its sentences. */
const checkFields = (ad: ImportedAd, category: string) => {
  const { title, description, price, priceType, condition, location, placeId, externalLink, allowMessages } = ad;
  const fields = { title, description, price, priceType, condition, location, placeId, externalLink, allowMessages };
  const parsed = checkPhrased(CreateAdBody, { ...fields, category });
  if (parsed.value) return { fields: parsed.value, problems: [] };
  const problems = parsed.faults
    // a wrong price is reported where it was read
    .filter(({ field }) => !(field === 'price' && ad.problems.length > 0))
    .map(({ field, phrase }): Problem => {
      const isLong = (field === 'title' || field === 'description' || field === 'location') && isTooLong(ad, field);
      return {
        column: field,
        what: phrase,
        how: { key: isLong ? 'mistakes.shorten' : (HOW[field] ?? 'mistakes.correct') },
      };
    });
  return { fields: undefined, problems };
};

/** Details that the category has; those of other categories are no mistake. */
const readDetails = (category: string, given: ImportedAd['details']) => {
  const keys = getAttributes(category).map(({ key }) => key);
  const { details, problems } = checkDetails(
    category,
    Object.fromEntries(Object.entries(given).filter(([key]) => keys.includes(key))),
  );
  return {
    details,
    problems: Object.entries(problems).map(
      ([column, what]): Problem => ({ column, what, how: { key: 'mistakes.correct' } }),
    ),
  };
};

/** A cell may have any number of wrong words. */
const NAMED_PHOTOS = 5;
/** A cell of 1 MB names 50,000. */
const MAX_ADDRESSES = 1000;

const nameWrongPhoto = (url: string): ErrorPhrase => ({
  key: 'mistakes.photo',
  values: { url: cutText(url, LIMITS.title), why: { key: 'mistakes.photoNoAddress' } },
});

/** The photos that are fetched, and notes about those that are not. */
const readPhotos = (
  all: readonly string[],
  { maxImages, publicUrl, takesFiles }: Market,
): { imageUrls: string[]; notes: ErrorPhrase[] } => {
  const urls = all.slice(0, MAX_ADDRESSES);
  const toUrl = (url: string) => (url.startsWith('/media/') ? publicUrl + url : url);
  const isRight = (url: string) => isWebUrl(url) || (takesFiles === true && parseMediaPath(url) !== undefined);
  const right = urls.map(toUrl).filter((url) => isRight(url) && url.length <= LIMITS.externalLink);
  const wrong = urls.filter((url) => !right.includes(toUrl(url)));
  const imageUrls = right.slice(0, maxImages);
  const more = right.length - imageUrls.length;
  const notes: ErrorPhrase[] = [
    ...wrong.slice(0, NAMED_PHOTOS).map(nameWrongPhoto),
    ...(wrong.length > NAMED_PHOTOS
      ? [{ key: 'mistakes.photosOff', values: { count: wrong.length - NAMED_PHOTOS } } as const]
      : []),
    ...(more > 0 ? [{ key: 'mistakes.photosOver', values: { count: more, max: maxImages } } as const] : []),
  ];
  return { imageUrls, notes };
};

const cutTexts = (ad: ImportedAd, category: string): ImportedAd => {
  const cut = (text: string, max: number, isMultiline = false) =>
    cutText(cleanText(cutText(text, maxUncleaned(max)), isMultiline), max);
  // a number or a choice that is cut is another one
  const texts = getAttributes(category).filter(({ type }) => type === 'text');
  const details = Object.entries(ad.details).map(([key, text]) => [
    key,
    texts.some((attribute) => attribute.key === key) ? cut(text, LIMITS.detail) : text,
  ]);
  return {
    ...ad,
    title: cut(ad.title, LIMITS.title),
    description: cut(ad.description, LIMITS.description, true),
    location: cut(ad.location, LIMITS.location),
    details: Object.fromEntries(details),
  };
};

const toHash = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest();

/** Names what an ad says: an ad with the same is unchanged. */
export const hashContent = (content: Content): Buffer => toHash(content);

const refuseUnread = ({ line, problems }: ImportedAd, position: number): CheckedAd => ({
  line,
  externalId: toHash(position).toString('hex').slice(0, 32),
  title: '',
  content: undefined,
  problems: [...problems],
  notes: [],
  unknownCategory: undefined,
});

/** Judges an ad of a file by the rules of a typed one. `position`: its place in the file, all of which may be one line. */
export const checkAd = (given: ImportedAd, market: Market, choices: Choices, position: number): CheckedAd => {
  if (given.isUnread) return refuseUnread(given, position);
  const category = resolveCategory(given.categories, market, choices);
  const ad = choices.truncate ? cutTexts(given, category ?? '') : given;
  const word = ad.categories[0] ?? '';
  const problems: Problem[] = [...ad.problems];
  if (category === undefined)
    problems.push({
      column: 'category',
      what: word
        ? { key: 'mistakes.noCategory', values: { word: word.slice(0, 50) } }
        : { key: 'mistakes.categoryMissing' },
      how: { key: 'mistakes.chooseCategory' },
    });
  const { code } = getMoney().currency;
  if (ad.currency !== null && ad.currency !== code)
    problems.push({
      column: 'currency',
      what: { key: 'mistakes.currency', values: { theirs: ad.currency.slice(0, 10), ours: code } },
      how: { key: 'mistakes.convertPrice', values: { currency: code } },
    });
  if (ad.price !== '' && PRICE_RULES[ad.priceType].isFree && Number(ad.price) !== 0)
    problems.push({
      column: 'price',
      what: { key: 'mistakes.freePrice' },
      how: { key: 'mistakes.writeZero' },
    });
  const checked = checkFields(ad, category ?? 'unknown');
  const details = readDetails(category ?? '', ad.details);
  const { imageUrls, notes } = readPhotos(ad.imageUrls, market);
  const all = [...problems, ...checked.problems, ...details.problems].map((problem) => ({
    ...problem,
    column: ad.names[problem.column] ?? problem.column,
  }));
  const content =
    checked.fields && all.length === 0 ? toContent(checked.fields, details.details, imageUrls, ad.isHidden) : undefined;
  const id =
    ad.externalId ||
    toHash(content ?? [ad.title, ad.description, position])
      .toString('hex')
      .slice(0, 32);
  return {
    line: ad.line,
    externalId: id.length > MAX_ID ? toHash(id).toString('hex') : id,
    title: cutText(cleanText(ad.title.slice(0, maxUncleaned(LIMITS.title))), LIMITS.title),
    content,
    problems: all,
    notes,
    unknownCategory: category === undefined ? word.slice(0, LIMITS.title) : undefined,
  };
};

const toContent = (
  fields: ReturnType<typeof CreateAdBody.parse>,
  details: Content['details'],
  imageUrls: string[],
  isHidden: boolean,
): Content => {
  const { title, description, price, category, location, placeId, priceType, condition, externalLink, allowMessages } =
    fields;
  return {
    title,
    description,
    price: padAmount(price),
    category,
    location,
    placeId,
    priceType,
    condition,
    details,
    externalLink,
    allowMessages,
    imageUrls,
    isHidden,
  };
};
