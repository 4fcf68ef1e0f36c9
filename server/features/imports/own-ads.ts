import type { Readable } from 'node:stream';
import { getMoney } from '../../../contract/money.ts';
import type { OwnAd } from '../../../contract/own-ads.ts';
import type { AppContext } from '../../app-context.ts';
import { notFound } from '../../errors.ts';
import { type Actor, maySeePrivate, type UserActor } from '../../policy.ts';
import { type AdDetails, listAdsAfter } from '../ads/repository.ts';
import { streamJson } from './json-stream.ts';

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
export const toOwnAd = (ad: AdDetails, { publicUrl, currency }: { publicUrl: string; currency: string }): OwnAd => ({
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

const PAGE = 200;

/**
 * A person's ads as a file has them, a page at a time: what an import makes the same ads of, here or on another marketplace.
 * @throws {AppError} not_found
 */
export async function* exportAds({ db, config }: AppContext, actor: Actor, userId: string): AsyncGenerator<OwnAd> {
  if (!maySeePrivate(actor, userId)) throw notFound('errors.userNotFound');
  const site = { publicUrl: config.publicUrl, currency: getMoney().currency.code };
  for (let after = '0'; ; ) {
    const ads = await listAdsAfter(db, userId, after, PAGE);
    for (const ad of ads) yield toOwnAd(ad, site);
    if (ads.length < PAGE) return;
    after = ads.at(-1)!.id;
  }
}

/** The file of the actor's own ads, as JSON. */
export const streamOwnAds = (ctx: AppContext, actor: UserActor): Readable =>
  streamJson(exportAds(ctx, actor, actor.id));
