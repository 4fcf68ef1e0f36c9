import type { UseFormSetError } from 'react-hook-form';
import { LIMITS } from '../../../../../contract/limits.ts';
import { countCharacters } from '../../../../../contract/text.ts';
import { ApiError } from '../../../api/client.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

/** The fields of the ad form as they are typed. */
export interface AdValues {
  title: string;
  description: string;
  price: string;
  category: string;
  location: string;
  externalLink: string;
  allowMessages: boolean;
}

export const EMPTY_AD: AdValues = {
  title: '',
  description: '',
  price: '',
  category: '',
  location: '',
  externalLink: '',
  allowMessages: true,
};

export const isSameAd = (one: AdValues, other: AdValues): boolean =>
  (Object.keys(EMPTY_AD) as (keyof AdValues)[]).every((name) => one[name] === other[name]);

const PRICE = /^\d{1,8}(\.\d{1,2})?$/;
const within = (max: number, message: string) => (value: string) => countCharacters(value.trim()) <= max || message;
const filled = (message: string) => (value: string) => value.trim() !== '' || message;

/** The same rules as the contract's, told field by field. */
export const AD_RULES = {
  title: {
    validate: {
      filled: filled('Title is required'),
      length: within(LIMITS.title, 'Title must be less than 100 characters'),
    },
  },
  description: {
    validate: {
      filled: filled('Description is required'),
      length: within(LIMITS.description, 'Description must be less than 1000 characters'),
    },
  },
  price: {
    validate: {
      filled: filled('Price is required'),
      number: (value: string) => PRICE.test(value.trim()) || 'Enter a price such as 25 or 9.50, up to 99,999,999.99',
    },
  },
  category: { validate: { filled: filled('Category is required') } },
  location: { validate: { length: within(LIMITS.location, `Must be at most ${LIMITS.location} characters`) } },
  externalLink: {
    validate: {
      https: (value: string) =>
        value.trim() === '' || value.trim().startsWith('https://') || 'Must be an https:// address',
    },
  },
};

const PICTURES = /^imageUrls(?:\.(?<index>\d+))?$/;

/** The server's complaint about the pictures, which says of which one where the field's name does. */
const aboutPictures = (fields: [name: string, message: string][]): string | undefined => {
  const [name, message] = fields.find(([field]) => PICTURES.test(field)) ?? [];
  const index = name && PICTURES.exec(name)?.groups?.index;
  return index ? `Photo ${Number(index) + 1}: ${message}` : message;
};

/** Puts the server's complaints beside the fields they are about; `complain` takes the one about the pictures. */
export const showFieldErrors = (
  error: unknown,
  setError: UseFormSetError<AdValues>,
  complain: (words: string | undefined) => void,
): void => {
  const fields = Object.entries((error instanceof ApiError && error.reply?.fields) || {});
  for (const [name, message] of fields) if (name in EMPTY_AD) setError(name as keyof AdValues, { message });
  complain(aboutPictures(fields));
};

/** The texts of an ad that were typed and not saved, as the tab keeps them under a key; without any, the `others`. */
export const readAdDraft = (key: string, others: AdValues): AdValues => {
  try {
    return { ...others, ...JSON.parse(readStored('sessionStorage', key) ?? '{}') };
  } catch {
    return others;
  }
};

/** Keeps them there; null forgets what is kept. */
export const keepAdDraft = (key: string, values: Partial<AdValues> | null): void =>
  writeStored('sessionStorage', key, values && JSON.stringify(values));
