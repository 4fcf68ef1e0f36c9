import { setImmediate } from 'node:timers/promises';
import type { Settings } from '../../../contract/admin.ts';
import type { AdInput } from '../../../contract/ads.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { conflict, forbidden } from '../../errors.ts';
import { enqueueAll } from '../../jobs/queue.ts';
import { mayChangeAd, mayPostAd, type UserActor } from '../../policy.ts';
import { findCategory, listCategories } from '../categories/repository.ts';
import { enqueuePublications } from './publications.ts';
import { listAdImages, lockAdForUpdate, replaceAdImages } from './repository.ts';
import { lexiconOf } from './search/lexicon.ts';
import { insertIndexedAds } from './search/terms-repository.ts';
import { applyEdit, toColumns, toNewAd } from './service.ts';

/** An ad of a file. Its photos are on this marketplace already: SHA-256 of images of the seller, the cover first. */
export interface FiledAd {
  input: AdInput;
  images: readonly string[];
  isPaused: boolean;
}

/** The seller, whose row is locked, and the settings of the moment. */
export interface Importing {
  settings: Settings;
  seller: UserRow;
}

/**
 * Posts ads of a file in a few statements. They pass the rules of typed ads, apart from limits against spam and the question about an
 * unusual price. The caller records that they are imported, so that no follower hears of them. Returns their ids in order.
 */
export const insertFiledAds = async (
  ctx: AppContext,
  trx: Trx,
  { settings, seller }: Importing,
  ads: readonly FiledAd[],
): Promise<string[]> => {
  if (!mayPostAd(seller)) throw forbidden('errors.xToPost');
  const rows: (Awaited<ReturnType<typeof toNewAd>> & { is_paused: boolean })[] = [];
  const categories = await listCategories(trx);
  const find: typeof findCategory = async (db, slugOrName) =>
    categories.find(({ slug }) => slug === slugOrName) ?? (await findCategory(db, slugOrName));
  for (const { input, images, isPaused } of ads) {
    // requests go first: reading an ad takes a millisecond of this process
    await setImmediate();
    const columns = await toColumns(trx, seller, { ...input, confirmPrice: true }, undefined, find);
    rows.push({ ...(await toNewAd(trx, settings, seller, { ...columns, images })), is_paused: isPaused });
  }
  const ids = await insertIndexedAds(trx, lexiconOf(ctx), rows);
  for (const [at, { images }] of ads.entries()) await replaceAdImages(trx, ids[at]!, images, []);
  const covers = ads.flatMap(({ images }) => images.slice(0, 1));
  const cards = covers.map((sha256) => ({ payload: { sha256 }, key: `card ${sha256}` }));
  if (cards.length > 0) await enqueueAll(trx, 'store-card', cards);
  await enqueuePublications(trx);
  return ids;
};

/** What a file changes of an ad. Undefined stays as it is. */
export interface FiledChange extends Pick<FiledAd, 'input'> {
  images: readonly string[] | undefined;
  isPaused: boolean | undefined;
}

/** Edits one of the seller's ads as a file says. Returns whether it was paused. @throws {AppError} conflict */
export const updateFiledAd = async (
  ctx: AppContext,
  trx: Trx,
  { settings, seller }: Importing,
  id: string,
  { input, images, isPaused }: FiledChange,
): Promise<boolean> => {
  const ad = await lockAdForUpdate(trx, id);
  const actor: UserActor = { kind: 'user', id: seller.id, role: seller.role };
  if (ad === undefined || ad.state === 'deleted' || !mayChangeAd(actor, ad))
    throw conflict('errors.adDeletedMeanwhile');
  const before = await listAdImages(trx, id);
  const columns = await toColumns(trx, seller, { ...input, confirmPrice: true }, ad);
  await applyEdit(
    ctx,
    trx,
    { settings, owner: seller, ad, before },
    { ...columns, images: images ?? before, is_paused: isPaused ?? ad.is_paused },
  );
  return ad.is_paused;
};

/** Puts photos that were fetched into an ad, in this order, before those that it has. Moderation judges them as an edit. */
export const showFetchedPhotos = async (
  ctx: AppContext,
  trx: Trx,
  { settings, seller }: Importing,
  id: string,
  fetched: readonly string[],
): Promise<void> => {
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || ad.state === 'deleted' || ad.user_id !== seller.id) return;
  const before = await listAdImages(trx, id);
  const images = [...new Set([...fetched, ...before])].slice(0, Math.max(settings.maxImagesPerAd, before.length));
  const { category_id, title, description, price, location, place_id, price_type, condition } = ad;
  const { details, external_link, allow_messages } = ad;
  const columns = { category_id, title, description, price, location, place_id, price_type, condition };
  await applyEdit(
    ctx,
    trx,
    { settings, owner: seller, ad, before },
    { ...columns, details, external_link, allow_messages, images },
  );
};
