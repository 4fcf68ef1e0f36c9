import type { Settings } from '../../../contract/admin.ts';
import type { AdInput } from '../../../contract/ads.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import type { AdRow, AdStateValue, UserRow } from '../../db/rows.ts';
import { inShortTransaction, inTransaction } from '../../db/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { enqueue } from '../../jobs/queue.ts';
import { mayChangeAd, mayLinkOut, mayPostAd, maySeeAd, type UserActor } from '../../policy.ts';
import { findCategory } from '../categories/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { lockActiveActor } from '../users/service.ts';
import { parseAdImages, type Uploads } from './ad-images.ts';
import { type AdImage, addAdImages, listAdImages, replaceAdImages } from './images-repository.ts';
import { judgeAd } from './moderation.ts';
import {
  type AdDetails,
  countApprovedAds,
  findAd,
  inDays,
  insertAd,
  lockAdForUpdate,
  softDeleteAds,
  stateByTime,
  updateOwnAd,
} from './repository.ts';
import { addWords } from './search/words-repository.ts';

/** Days until an ad expires by the settings; null for never. */
const durationDays = ({ maxAdDurationDays }: Settings): number | null => maxAdDurationDays || null;

const getCategoryId = async (trx: Trx, slugOrName: string): Promise<number> => {
  const category = await findCategory(trx, slugOrName);
  if (category === undefined || category.is_disabled) throw invalid({ category: 'Unknown category' });
  return category.id;
};

const toColumns = async (trx: Trx, seller: UserRow, input: AdInput) => ({
  category_id: await getCategoryId(trx, input.category),
  title: input.title,
  description: input.description,
  price: input.price,
  location: input.location || null,
  external_link: mayLinkOut(seller) ? input.externalLink : null,
  allow_messages: input.allowMessages,
});

const judge = (settings: Settings, seller: UserRow, approvedAds: number, ad: AdInput): 'active' | 'pending' =>
  judgeAd(settings, { isVerified: seller.is_verified, approvedAds }, ad);

/** What stands beside an ad's row and its pictures: the words that it is found by, the picture for link previews. */
const followUp = async (trx: Trx, input: AdInput, pictures: AdImage[]): Promise<void> => {
  const cover = pictures[0];
  await Promise.all([
    addWords(trx, `${input.title} ${input.description}`),
    cover?.image && enqueue(trx, 'store-card', { sha256: cover.sha256 }, { key: `card ${cover.sha256}` }),
  ]);
};

/**
 * Posts an ad. It is live at once or waits for review, as the settings say. What does not need the answer to the last
 * statement is sent without it.
 */
export const createAd = (
  ctx: AppContext,
  actor: UserActor,
  input: AdInput,
  uploads: Uploads = {},
): Promise<AdDetails> =>
  inShortTransaction(ctx.db, async (trx) => {
    const seller = await lockActiveActor(trx, actor);
    if (!mayPostAd(seller)) throw forbidden('Sign in with X to post ads');
    const [settings, columns, approvedAds] = await Promise.all([
      readSettings(trx),
      toColumns(trx, seller, input),
      countApprovedAds(trx, seller.id),
    ]);
    const pictures = parseAdImages(input.imageUrls, uploads, [], settings.maxImagesPerAd);
    const id = await insertAd(trx, {
      ...columns,
      user_id: seller.id,
      state: judge(settings, seller, approvedAds, input),
      expires_at: inDays(trx, durationDays(settings)),
    });
    await Promise.all([addAdImages(trx, ctx.imageStore, id, pictures), followUp(trx, input, pictures)]);
    return (await findAd(trx, id))!;
  });

/** What editing text or pictures does to an ad's state: it is judged like a new one, and never revives by itself. */
const stateAfterEdit = ({ state, taken_down }: AdRow, verdict: 'active' | 'pending'): AdStateValue => {
  // an administrator took it down: only an administrator puts it back, however often it is edited
  if (taken_down) return 'pending';
  return verdict === 'active' && state === 'expired' ? 'expired' : verdict;
};

const isRewritten = (ad: AdRow, before: string[], input: AdInput, pictures: AdImage[]): boolean =>
  ad.title !== input.title ||
  ad.description !== input.description ||
  (ad.location ?? '') !== input.location ||
  before.length !== pictures.length ||
  pictures.some(({ sha256 }) => !before.includes(sha256));

/** Edits one of the actor's own ads. */
export const updateAd = (
  ctx: AppContext,
  actor: UserActor,
  id: string,
  input: AdInput,
  uploads: Uploads = {},
): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    const settings = await readSettings(trx);
    const before = await listAdImages(trx, id);
    const pictures = parseAdImages(input.imageUrls, uploads, before, settings.maxImagesPerAd);
    await updateOwnAd(trx, id, owner.id, {
      ...(await toColumns(trx, owner, input)),
      ...(isRewritten(ad, before, input, pictures) && (await rejudge(trx, settings, owner, ad, input))),
    });
    await replaceAdImages(trx, ctx.imageStore, id, pictures);
    await followUp(trx, input, pictures);
    return (await findAd(trx, id))!;
  });

const rejudge = async (trx: Trx, settings: Settings, owner: UserRow, ad: AdRow, input: AdInput) => {
  const approvedAds = await countApprovedAds(trx, owner.id);
  const state = stateAfterEdit(ad, judge(settings, owner, approvedAds, input));
  if (state === ad.state) return {};
  if (state === 'pending') return { state, is_approved: false };
  return { state, state_reason: null, expires_at: inDays(trx, durationDays(settings)) };
};

/** Deletes one of the actor's own ads, down to a tombstone that its conversations stand by. */
export const deleteAd = (ctx: AppContext, actor: UserActor, id: string): Promise<void> =>
  inTransaction(ctx.db, async (trx) => {
    await lockOwnAd(trx, actor, id);
    await softDeleteAds(trx, [id]);
  });

/** Marks one of the actor's own ads as sold or available. Saying it twice changes nothing, not even the date. */
export const setAdSold = (ctx: AppContext, actor: UserActor, id: string, isSold: boolean): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (ad.is_sold !== isSold)
      await updateOwnAd(trx, id, owner.id, {
        is_sold: isSold,
        sold_at: isSold ? trx.fn.now() : null,
        sold_listed_until: isSold ? inDays(trx, ctx.config.soldListedDays) : null,
        state: isSold ? ad.state : stateByTime(trx),
      });
    return (await findAd(trx, id))!;
  });

/** Puts one of the actor's own expired ads back. What an administrator took down stays down. */
export const renewAd = (ctx: AppContext, actor: UserActor, id: string): Promise<AdDetails> =>
  inTransaction(ctx.db, async (trx) => {
    const { ad, owner } = await lockOwnAd(trx, actor, id);
    if (ad.state !== 'expired') throw conflict('Only an expired ad can be renewed');
    const { maxAdDurationDays } = await readSettings(trx);
    await updateOwnAd(trx, id, owner.id, { state: 'active', expires_at: inDays(trx, maxAdDurationDays || null) });
    return (await findAd(trx, id))!;
  });

/**
 * The actor's row held and their ad locked until the transaction ends (users before ads, everywhere). Another person's ad
 * is forbidden when it is public and does not exist when it is hidden.
 */
export const lockOwnAd = async (trx: Trx, actor: UserActor, id: string): Promise<{ ad: AdRow; owner: UserRow }> => {
  const owner = await lockActiveActor(trx, actor);
  const ad = await lockAdForUpdate(trx, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('Ad not found');
  if (!mayChangeAd(actor, ad)) throw forbidden('This is not your ad');
  return { ad, owner };
};
