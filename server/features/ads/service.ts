import type { Settings } from '../../../contract/admin.ts';
import type { AdInput, Confirmed, Details } from '../../../contract/ads.ts';
import { padAmount } from '../../../contract/amount-rules.ts';
import { checkDetails, getAttributes } from '../../../contract/attributes.ts';
import type { Phrase } from '../../../contract/i18n.ts';
import { PRICE_RULES } from '../../../contract/prices.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, CategoryRow, UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, forbidden, invalid } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { mayLinkOut, mayPostAd, type UserActor } from '../../policy.ts';
import { findCategory, listCategories } from '../categories/repository.ts';
import { checkNewAd } from '../gates/gates.ts';
import { takePhotos } from '../images/photos-repository.ts';
import { findPlace } from '../places/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/active-actor.ts';
import { offerAdPost, type PostOffer } from '../x-posts/outbox.ts';
import { listNamedImages, parseAdImages } from './ad-images.ts';
import { type AdContent, hashContent, type SellerColumns } from './columns.ts';
import { announceReviewed, judge } from './moderation.ts';
import { moderate } from './moderation-states.ts';
import { checkPrice } from './odd-price.ts';
import { lockOwnAd, settleExpiry } from './own-ads.ts';
import { recordPriceChange } from './price-drops.ts';
import { enqueuePublications } from './publications.ts';
import {
  type AdDetails,
  findAd,
  inDays,
  insertAd,
  listAdImages,
  lockShownImages,
  replaceAdImages,
  softDeleteAds,
  updateOwnAd,
} from './repository.ts';
import { lexiconOf } from './search/lexicon.ts';
import { indexAds } from './search/terms-repository.ts';

/** An ad stays in a disabled category, but none enters it. */
const getCategory = async (
  find: typeof findCategory,
  trx: Trx,
  slugOrName: string,
  before?: AdRow,
): Promise<CategoryRow> => {
  const category = await find(trx, slugOrName);
  const isOpen = category !== undefined && (!category.is_disabled || category.id === before?.category_id);
  if (!isOpen) throw invalid({ category: 'errors.unknownCategory' });
  return category;
};

/** The details that the category has. `before` is the category of the ad until now: only its details are dropped silently. */
const readDetails = (category: CategoryRow, { details, priceType, price }: AdInput, before?: CategoryRow): Details => {
  const dropped = getAttributes(before?.slug ?? category.slug).map(({ key }) => key);
  const checked = checkDetails(category.slug, details, dropped);
  const problems: Record<string, Phrase> = { ...checked.problems };
  if (PRICE_RULES[priceType].isFree && Number(price) !== 0) problems.price = { key: 'errors.freePrice' };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return checked.details;
};

const isRepriced = (before: AdRow, { price, price_type, category_id }: SellerColumns): boolean =>
  Number(before.price) !== Number(price) || before.price_type !== price_type || before.category_id !== category_id;

/** What the seller wrote as columns, by the rules of every ad. @throws {AppError} validation_failed, odd_price */
export const toColumns = async (
  trx: Trx,
  seller: UserRow,
  input: AdInput & Confirmed,
  before?: AdRow,
  find = findCategory,
): Promise<SellerColumns> => {
  const category = await getCategory(find, trx, input.category, before);
  const isMoved = before !== undefined && before.category_id !== category.id;
  const from = isMoved ? (await listCategories(trx)).find(({ id }) => id === before.category_id) : undefined;
  if (input.placeId !== null && !(await findPlace(trx, input.placeId)))
    throw invalid({ placeId: 'fields.unknownPlace' });
  const columns = {
    category_id: category.id,
    title: input.title,
    description: input.description,
    price: padAmount(input.price),
    location: input.location || null,
    place_id: input.placeId,
    price_type: input.priceType,
    condition: input.condition,
    details: readDetails(category, input, from),
    external_link: mayLinkOut(seller) ? input.externalLink : null,
    allow_messages: input.allowMessages,
  };
  if (!input.confirmPrice && (before === undefined || isRepriced(before, columns)))
    await checkPrice(trx, columns, category);
  return columns;
};

const toExpiry = (trx: Trx, { maxAdDurationDays }: Settings) => inDays(trx, maxAdDurationDays || null);

const writeImagesAndWords = async (
  ctx: AppContext,
  trx: Trx,
  id: string,
  images: readonly string[],
  before: readonly string[],
): Promise<void> => {
  await replaceAdImages(trx, id, images, before);
  await indexAds(trx, lexiconOf(ctx), [id]);
  const [cover] = images;
  if (cover !== undefined && cover !== before[0])
    await enqueue(trx, 'store-card', { sha256: cover }, { key: `card ${cover}` });
};

/** A new ad, which goes live or waits for review. */
export const toNewAd = async (
  trx: Trx,
  settings: Settings,
  seller: UserRow,
  { images, ...columns }: SellerColumns & { images: readonly string[] },
) => ({
  ...columns,
  has_photos: images.length > 0,
  user_id: seller.id,
  moderation: moderate('clear', await judge(trx, settings, seller, columns)),
  expires_at: toExpiry(trx, settings),
});

const NO_POST: PostOffer = { postedToX: false, intentUrl: null };

export interface CreatedAd {
  ad: AdDetails;
  post: PostOffer;
}

/**
 * Posts an ad. It goes live or waits for review, depending on the settings. `postToX` is the seller's choice in the
 * form; absent if the form did not ask.
 */
export const createAd = (
  ctx: AppContext,
  actor: UserActor,
  { postToX, ...input }: AdInput & Confirmed & { postToX?: boolean },
): Promise<CreatedAd> =>
  inTransaction(ctx.db, async (trx) => {
    const seller = await lockActiveActor(trx, actor);
    if (!mayPostAd(seller)) throw forbidden('errors.xToPost');
    const settings = await readSettings(trx);
    const columns = await toColumns(trx, seller, input);
    const named = listNamedImages(input.imageUrls);
    const uploaded = await takePhotos(trx, seller.id, named);
    // a copy of an ad shows its photos
    const shown = await lockShownImages(
      trx,
      seller.id,
      named.filter((name) => !uploaded.includes(name)),
    );
    const images = parseAdImages(
      input.imageUrls,
      { existing: [], own: [...uploaded, ...shown] },
      settings.maxImagesPerAd,
    );
    await checkNewAd(trx, settings, actor, seller, input);
    const id = await insertAd(trx, await toNewAd(trx, settings, seller, { ...columns, images }));
    await writeImagesAndWords(ctx, trx, id, images, []);
    const ad = (await findAd(trx, id))!;
    if (ad.listed) await enqueuePublications(trx);
    const post = postToX === undefined ? NO_POST : await offerAdPost(trx, ctx, ad, postToX, actor);
    return { ad, post };
  });

/** Moderation judges an edited ad like a new one, but an edit does not renew it. */
const rejudge = async (trx: Trx, settings: Settings, owner: UserRow, ad: AdRow, edited: AdContent) => {
  const moderation = moderate(ad.moderation, await judge(trx, settings, owner, edited));
  if (moderation === ad.moderation) return {};
  if (moderation !== 'clear') return { moderation, is_approved: false };
  return { moderation, state_reason: null, state_reason_code: null, expires_at: toExpiry(trx, settings) };
};

interface EditedAd {
  settings: Settings;
  owner: UserRow;
  /** Locked, with its images. */
  ad: AdRow;
  before: readonly string[];
}

type Edit = SellerColumns & { images: readonly string[]; is_paused?: boolean };

/** Writes what an edit changed, and what follows from it: review, former price, words, notifications. */
export const applyEdit = async (
  ctx: AppContext,
  trx: Trx,
  { settings, owner, ad, before }: EditedAd,
  { images, ...columns }: Edit,
): Promise<AdDetails> => {
  const isRewritten = !hashContent(ad, before).equals(hashContent(columns, images));
  const verdict = isRewritten ? await rejudge(trx, settings, owner, ad, columns) : {};
  await updateOwnAd(trx, ad.id, owner.id, { ...columns, has_photos: images.length > 0, state: ad.state, ...verdict });
  await recordPriceChange(trx, ad, columns);
  await writeImagesAndWords(ctx, trx, ad.id, images, before);
  const edited = (await findAd(trx, ad.id))!;
  if ((ad.moderation === 'pending' || ad.is_paused) && edited.listed) await announceReviewed(trx, ad.id);
  return edited;
};

export const updateAd = (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  input: AdInput & Confirmed,
): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (input.version !== undefined && input.version !== ad.updated_at) throw conflict('errors.adChanged');
    const settings = await readSettings(trx);
    const before = await listAdImages(trx, id);
    const own = await takePhotos(trx, owner.id, listNamedImages(input.imageUrls));
    const images = parseAdImages(input.imageUrls, { existing: before, own }, settings.maxImagesPerAd);
    const columns = await toColumns(trx, owner, input, ad);
    return applyEdit(ctx, trx, { settings, owner, ad, before }, { ...columns, images });
  });

export const deleteAd = (ctx: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    const { owner } = await lockOwnAd(trx, actor, id);
    await softDeleteAds(trx, [id]);
    await settleExpiry(trx, owner.id, id);
  });
