import type { AdDetails } from '../ads/repository.ts';
import type { OwnColumn } from './formats/own.ts';

/** The address of an ad, which is its name in files: an id alone would mean another ad on another marketplace. */
const toAdUrl = (publicUrl: string, id: string): string => `${publicUrl}/ads/${id}`;

/** The id of an ad of this marketplace that a file names. */
export const parseAdUrl = (publicUrl: string, name: string): string | undefined => {
  const prefix = `${publicUrl}/ads/`;
  const id = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^[1-9]\d{0,17}$/.test(id) ? id : undefined;
};

const STATES: Readonly<Record<string, string>> = { active: 'active', paused: 'paused', expired: 'expired' };

/** An ad as "Download my ads" has it. */
export const toOwnValues = (
  ad: AdDetails,
  { publicUrl, currency }: { publicUrl: string; currency: string },
): Record<OwnColumn, string | string[] | boolean | Record<string, string | number>> => ({
  id: toAdUrl(publicUrl, ad.id),
  title: ad.title,
  description: ad.description,
  price: ad.price,
  currency,
  priceType: ad.price_type,
  category: ad.category_slug,
  location: ad.location ?? '',
  placeId: ad.place_id ?? '',
  condition: ad.condition ?? '',
  details: ad.details,
  externalLink: ad.external_link ?? '',
  allowMessages: ad.allow_messages,
  // an ad that waits for review is what its seller wants to show
  state: ad.is_sold ? 'sold' : ad.is_paused ? 'paused' : (STATES[ad.state] ?? 'active'),
  images: ad.images.map(({ sha256 }) => `${publicUrl}/media/${sha256}/full.jpg`),
});
