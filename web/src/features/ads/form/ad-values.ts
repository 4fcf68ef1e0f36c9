import type { Ad } from '../../../../../contract/ads.ts';
import { ApiError } from '../../../api/client.ts';
import type { useApiForm } from '../../../api/use-api-form.ts';

export interface AdValues {
  title: string;
  description: string;
  price: string;
  category: string;
  location: string;
  externalLink: string;
  allowMessages: boolean;
}

export type AdApiForm = ReturnType<typeof useApiForm<AdValues>>;

export const EMPTY_AD: AdValues = {
  title: '',
  description: '',
  price: '',
  category: '',
  location: '',
  externalLink: '',
  allowMessages: true,
};

export const toAdValues = (ad: Ad): AdValues => ({
  title: ad.title,
  description: ad.description,
  price: String(Number(ad.price)),
  category: ad.category,
  location: ad.location ?? '',
  externalLink: ad.externalLink ?? '',
  allowMessages: ad.allowMessages,
});

const PRICE_REQUIRED = 'Price is required';

export const toAdMessage = (field: string, message: string): string =>
  field === 'price' && message !== PRICE_REQUIRED ? 'Enter a price such as 25 or 9.50, up to 99,999,999.99' : message;

const IMAGE_FIELD = /^imageUrls(?:\.(?<index>\d+))?$/;

/** The server's error about the photos, with the photo's number if the error names one. */
export const getImageError = (error: unknown): string | undefined => {
  const fields = Object.entries((error instanceof ApiError && error.reply?.fields) || {});
  const [name = '', message] = fields.find(([field]) => IMAGE_FIELD.test(field)) ?? [];
  const index = IMAGE_FIELD.exec(name)?.groups?.index;
  return index ? `Photo ${Number(index) + 1}: ${message}` : message;
};
