import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { getNow } from '../../db/pools.ts';
import type { UserRow } from '../../db/rows.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type ErrorPhrase, toEnglish } from '../../error-phrases.ts';
import { AppError } from '../../errors.ts';
import { DownloadRefused, downloadFromPublicHost } from '../../integrations/public-download.ts';
import { PublicRequestError } from '../../integrations/public-request.ts';
import { enqueue } from '../../jobs/queue.ts';
import { isShutOut } from '../../policy.ts';
import { showFetchedPhotos } from '../ads/imported.ts';
import { type AdDetails, findAd } from '../ads/repository.ts';
import { storeImages } from '../images/files.ts';
import { readSettings } from '../settings/repository.ts';
import { findUser, lockUserShared } from '../users/repository.ts';
import { listPhotos, type PhotoRow, recordPhoto } from './photos-repository.ts';
import { parseMediaPath } from './reading/media-url.ts';

const TRIES = 3;
const TIMEOUT_MS = 30_000;
const RETRY_MS = 60_000;

/** Why a file of the operator is no photo. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

const toReason = (phrase: ErrorPhrase, isFinal: boolean) => ({ failure: toEnglish(phrase), phrase, isFinal });

/** Why a photo could not be taken over; undefined if that has nothing to do with the photo. */
const explain = (
  error: unknown,
): { failure: string; phrase?: ErrorPhrase | undefined; isFinal: boolean } | undefined => {
  if (error instanceof FileRefused) return { failure: error.message, isFinal: true };
  if (error instanceof DownloadRefused) return { failure: error.message, phrase: error.phrase, isFinal: error.isFinal };
  if (error instanceof PublicRequestError)
    return { failure: error.message, phrase: error.phrase, isFinal: error.failure === 'forbidden' };
  if (error instanceof AppError && error.code === 'invalid_image')
    return toReason({ key: 'mistakes.photoUnreadable' }, true);
  // a picture that ends its process must not stop those behind it
  if (error instanceof AppError && error.code === 'image_worker_failed')
    return toReason({ key: 'mistakes.photoBroken' }, false);
  return undefined;
};

const mustWait = (seller: UserRow, now: Date): boolean => seller.deleted_at !== null || isShutOut(seller, now);

const fetchPhoto =
  ({ config: { isProduction } }: AppContext) =>
  (url: string): Promise<Buffer> =>
    downloadFromPublicHost({
      url,
      timeoutMs: TIMEOUT_MS,
      maxBytes: LIMITS.photo,
      allowsLoopback: !isProduction,
    });

/**
 * Reads one photo of an ad and shows it there, in one transaction with what the import knows about it. Returns why it could not be
 * taken over, if that is so.
 */
const takeOver = async (
  ctx: AppContext,
  { id: adId, user_id: ownerId }: Pick<AdDetails, 'id' | 'user_id'>,
  photo: PhotoRow,
  read: (url: string) => Promise<Buffer>,
): Promise<string | undefined> => {
  let result: Parameters<typeof recordPhoto>[3];
  try {
    const image = await ctx.images.process(await read(photo.url));
    await storeImages(ctx, [image]);
    result = { sha256: image.sha256 };
  } catch (error) {
    const reason = explain(error);
    if (!reason) throw error;
    result = {
      failure: reason.failure.slice(0, 300),
      phrase: reason.phrase,
      isFinal: reason.isFinal || photo.tries + 1 >= TRIES,
    };
  }
  return inTransaction(ctx.db, async (trx) => {
    // users before ads
    const seller = await lockUserShared(trx, ownerId);
    if (seller === undefined || mustWait(seller, getNow(trx))) return 'its seller is banned or suspended';
    if (!(await recordPhoto(trx, adId, photo, result))) return 'another import replaced it';
    if ('failure' in result) return result.failure;
    const photos = await listPhotos(trx, adId);
    const settings = await readSettings(trx);
    await showFetchedPhotos(
      ctx,
      trx,
      { settings, seller },
      adId,
      photos.flatMap(({ sha256 }) => sha256 ?? []),
    );
    return undefined;
  });
};

const isDue = ({ sha256, failure, url }: PhotoRow): boolean =>
  sha256 === null && failure === null && parseMediaPath(url) === undefined;

/**
 * Fetches the photos of an ad that a file names by their addresses. Each gets three tries, and says why it failed. A run that was
 * interrupted goes on with the rest. Those of a seller who is shut out wait until that ends (resumePhotos), and no host hears of them
 * before.
 */
export const fetchPhotos = async (ctx: AppContext, adId: string): Promise<void> => {
  const ad = await findAd(ctx.db, adId);
  if (!ad || ad.state === 'deleted') return;
  const seller = await findUser(ctx.db, ad.user_id);
  if (seller === undefined || mustWait(seller, ctx.clock.now())) return;
  const due = (await listPhotos(ctx.db, adId)).filter(isDue);
  for (const photo of due) await takeOver(ctx, ad, photo, fetchPhoto(ctx));
  const left = (await listPhotos(ctx.db, adId)).filter(isDue);
  if (left.length === 0) return;
  const runAt = new Date(ctx.clock.now().valueOf() + RETRY_MS * Math.max(1, ...left.map(({ tries }) => tries)));
  await inTransaction(ctx.db, (trx) => enqueue(trx, 'fetch-photos', { adId }, { runAt, key: `photos ${adId} later` }));
};

/** What became of a photo that is a file of the operator; `failure` undefined: the ad shows it. */
export interface TakenFile {
  path: string;
  failure: string | undefined;
}

/** Takes over the photos of an ad that are files of the operator and not here yet, also those that failed before. */
export const takeFiles = async (
  ctx: AppContext,
  adId: string,
  read: (path: string) => Promise<Buffer>,
): Promise<TakenFile[]> => {
  const ad = await findAd(ctx.db, adId);
  if (!ad || ad.state === 'deleted') return [];
  const taken: TakenFile[] = [];
  for (const photo of await listPhotos(ctx.db, adId)) {
    const path = parseMediaPath(photo.url);
    if (path === undefined || photo.sha256 !== null) continue;
    taken.push({ path, failure: await takeOver(ctx, ad, photo, () => read(path)) });
  }
  return taken;
};
