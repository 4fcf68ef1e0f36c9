import type { Ad, AdInput } from '../../../../../contract/ads.ts';
import { parseAmount, readTyped, toTyped } from '../../../../../contract/amount.ts';
import { nameAmounts } from '../../../../../contract/amount-rules.ts';
import type { Condition } from '../../../../../contract/conditions.ts';
import { t } from '../../../../../contract/i18n.ts';
import { getMoney } from '../../../../../contract/money.ts';
import type { PriceType } from '../../../../../contract/prices.ts';
import { ApiError } from '../../../api/client.ts';
import type { ProblemType } from '../../../api/form-schema.ts';
import type { useApiForm } from '../../../api/use-api-form.ts';
import { importWithRetry } from '../../../lib/chunks.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

/** The fields that are no texts. An empty `placeId`: the location was typed. */
interface Choices {
  priceType: PriceType;
  condition: Condition | '';
  /** By key; also those typed for other categories, which are not sent. */
  details: Record<string, string>;
  allowMessages: boolean;
  /** Addresses of photos that are uploaded, the cover first. */
  imageUrls: string[];
}

/** What an ad form holds: every field of an ad. */
export type AdValues = Choices & Record<Exclude<keyof AdInput, keyof Choices | 'version'>, string>;

export type AdApiForm = ReturnType<typeof useApiForm<AdValues>>;

export const EMPTY_AD: AdValues = {
  title: '',
  description: '',
  price: '',
  priceType: 'fixed',
  category: '',
  condition: '',
  details: {},
  location: '',
  placeId: '',
  externalLink: '',
  allowMessages: true,
  imageUrls: [],
};

export const toAdValues = (ad: Ad): AdValues => ({
  title: ad.title,
  description: ad.description,
  price: toTyped(String(Number(ad.price))),
  priceType: ad.priceType,
  category: ad.categorySlug,
  condition: ad.condition ?? '',
  details: Object.fromEntries(Object.entries(ad.details).map(([key, value]) => [key, String(value)])),
  location: ad.location ?? '',
  placeId: ad.placeId ?? '',
  externalLink: ad.externalLink ?? '',
  allowMessages: ad.allowMessages,
  imageUrls: ad.imageUrls,
});

export const CHOSEN_LAST = ['location', 'placeId', 'allowMessages'] as const;
type Choice = Pick<AdValues, (typeof CHOSEN_LAST)[number]>;

export const toChoice = (ad: Ad): Choice => {
  const { location, placeId, allowMessages } = toAdValues(ad);
  return { location, placeId, allowMessages };
};

/** What the person chose for their last ad, which the form of the next one opens with. Kept in this browser. */
export const useLastChoices = (userId: string) => {
  const key = `last-ad:${userId}`;
  return {
    read: (): Choice | undefined => {
      try {
        return JSON.parse(readStored('localStorage', key) ?? 'null') ?? undefined;
      } catch {
        return undefined;
      }
    },
    write: (ad: Ad): void => writeStored('localStorage', key, JSON.stringify(toChoice(ad))),
  };
};

/** What two versions of an ad are compared by. */
export const toContent = ({ placeId, details, imageUrls, ...values }: AdValues): string => {
  const trim = (record: object) =>
    Object.entries(record)
      .map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value])
      .filter(([, value]) => value !== '')
      .sort();
  const price = parseAmount(values.price) ?? values.price;
  return JSON.stringify([trim({ ...values, price: String(Number(price)) }), trim(details), imageUrls]);
};

const loadAttributes = () => importWithRetry(() => import('../../../../../contract/attributes.ts'));

/** What an ad form needs to know of the chosen category's details. */
export const useAdDetails = () => {
  const pickDetails = async ({ category, details }: AdValues) => {
    const { getAttributes, checkDetails } = await loadAttributes();
    const own = getAttributes(category).map(({ key }) => [key, details[key] ?? ''] as const);
    return { details: Object.fromEntries(own.filter(([, value]) => value.trim() !== '')), checkDetails };
  };
  return {
    /** The body without details of other categories. */
    toBody: async <Values extends AdValues>(values: Values): Promise<Values> => ({
      ...values,
      price: readTyped(values.price),
      details: (await pickDetails(values)).details,
    }),
    // the server checks them as well, so a chunk that cannot be loaded refuses nothing
    findProblems: async (values: AdValues): Promise<Record<string, string>> => {
      const picked = await pickDetails(values).catch(() => undefined);
      const problems = picked?.checkDetails(values.category, picked.details).problems ?? {};
      return Object.fromEntries(
        Object.entries(problems).map(([name, { key, values: named }]) => [name, t(key, named)]),
      );
    },
  };
};

/** For the schema, which does not know the categories. */
export const withoutDetails = (values: AdValues) => ({ ...values, price: readTyped(values.price), details: {} });

export const toAdMessage = (field: string, message: string, type: ProblemType): string =>
  field === 'price' && type === 'invalid'
    ? t(getMoney().currency.decimals > 0 ? 'fields.enterPrice' : 'fields.enterPriceWhole', nameAmounts())
    : message;

const IMAGE_FIELD = /^imageUrls(?:\.(?<index>\d+))?$/;

/** The server's error about the photos, with the photo's number if the error names one. */
export const getImageError = (error: unknown): string | undefined => {
  const fields = Object.entries((error instanceof ApiError && error.reply?.fields) || {});
  const [name = '', message] = fields.find(([field]) => IMAGE_FIELD.test(field)) ?? [];
  const index = IMAGE_FIELD.exec(name)?.groups?.index;
  return index ? t('photos.photoProblem', { number: Number(index) + 1, problem: message ?? '' }) : message;
};
