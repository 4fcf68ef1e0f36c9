import { setTimeout as sleep } from 'node:timers/promises';
import { isUploadVariant, VARIANTS, type Variant } from '../../../contract/image-variants.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { AppError } from '../../errors.ts';
import type { ProcessedImage } from '../../integrations/images/codec.ts';
import { isInCurrentFormat } from '../../integrations/images/formats.ts';
import type { ImageKey, ImageStore } from '../../integrations/storage/storage.ts';
import { readMaintenance } from '../settings/repository.ts';
import {
  deleteMarkedImages,
  findImages,
  type ImageOptions,
  isPublicImage,
  markOrphans,
  markUnusedImages,
  registerImages,
} from './repository.ts';

const HOUR = 3_600_000;
const SWEEP_BATCH = 50;
const SWEEP_WAIT_MS = 10_000;

/**
 * Stores images before the transaction that refers to them, because object storage is slow and a transaction holds a
 * connection and locks. The rows come first, so that neither sweep deletes the objects; a sweep deletes images without
 * an ad after an hour. @throws {AppError} overloaded while a sweep is deleting one of them, storage_unavailable
 */
export async function storeImages(
  { db, imageStore }: Pick<AppContext, 'db' | 'imageStore'>,
  images: readonly ProcessedImage[],
  options?: ImageOptions,
): Promise<void> {
  const distinct = [...new Map(images.map((image) => [image.sha256, image])).values()];
  if (distinct.length === 0) return;
  const giveUpAt = Date.now() + SWEEP_WAIT_MS;
  for (let rest = distinct; ; await sleep(100)) {
    const registered = await registerImages(db, rest, options);
    rest = rest.filter(({ sha256 }) => !registered.has(sha256));
    if (rest.length === 0) break;
    if (Date.now() > giveUpAt) throw new AppError('overloaded');
  }
  const uploads = distinct.flatMap((image) =>
    VARIANTS.filter(isUploadVariant).map((variant) => ({ sha256: image.sha256, variant, bytes: image[variant] })),
  );
  await imageStore.put(uploads).catch((cause: unknown) => {
    // the errors of the database have codes of their own
    throw imageStore.kind === 'database' ? cause : new AppError('storage_unavailable', { cause });
  });
}

/** Deletes the objects of marked images first, so that an upload of the same image waits until they are gone. */
async function deleteMarked({ db, imageStores }: AppContext, sha256s: readonly string[]): Promise<void> {
  // the database store deletes the bytes with their rows
  const outside = imageStores.filter(({ kind }) => kind !== 'database');
  await Promise.all(sha256s.flatMap((sha256) => outside.map((store) => store.delete(sha256))));
  await inTransaction(db, (trx) => deleteMarkedImages(trx, sha256s));
}

/** Deletes the images that no ad has shown for an hour; returns how many. After a crash the next run continues. */
export async function deleteUnusedImages(ctx: AppContext): Promise<number> {
  for (let deleted = 0; ; ) {
    const batch = await markUnusedImages(ctx.db, SWEEP_BATCH);
    await deleteMarked(ctx, batch);
    deleted += batch.length;
    if (batch.length < SWEEP_BATCH) return deleted;
  }
}

/**
 * Deletes objects that are older than an hour and have no row, such as a variant made while its image was deleted. The
 * database store has none. Returns the number of images; a dry run only counts them.
 */
export async function sweepImageStorage(ctx: AppContext, isDryRun = false): Promise<number> {
  if (ctx.imageStore.kind === 'database') return 0;
  const before = ctx.clock.now().getTime() - HOUR;
  let swept = 0;
  const sweep = async (batch: readonly string[]) => {
    if (isDryRun) {
      const known = await findImages(ctx.db, batch);
      swept += batch.filter((sha256) => !known.has(sha256)).length;
      return;
    }
    const orphans = await markOrphans(ctx.db, batch);
    await deleteMarked(ctx, orphans);
    swept += orphans.length;
  };
  let batch: string[] = [];
  let last = '';
  for await (const { sha256, storedAt } of ctx.imageStore.list()) {
    if (storedAt >= before || sha256 === last) continue;
    last = sha256;
    batch.push(sha256);
    if (batch.length < SWEEP_BATCH) continue;
    await sweep(batch);
    batch = [];
  }
  await sweep(batch);
  return swept;
}

/**
 * Deletes unused images and leftover objects. Does nothing in maintenance mode: a restore stores its images before
 * their rows, by more than an hour if the backup is large.
 */
export async function collectImages(ctx: AppContext): Promise<void> {
  if (await readMaintenance(ctx.db)) return;
  await deleteUnusedImages(ctx);
  await sweepImageStorage(ctx);
}

type ImageContext = Pick<AppContext, 'db' | 'images' | 'imageStore' | 'imageStores' | 'log'>;

const MAKERS: Record<Exclude<Variant, 'full'>, 'makeCard' | 'makeMedium' | 'makeThumb'> = {
  card: 'makeCard',
  medium: 'makeMedium',
  thumb: 'makeThumb',
};

export async function findBytes(stores: readonly ImageStore[], key: ImageKey): Promise<Buffer | undefined> {
  for (const store of stores) {
    const bytes = await store.get(key);
    if (bytes) return bytes;
  }
  return undefined;
}

async function make({ images, imageStores }: ImageContext, { sha256, variant }: ImageKey): Promise<Buffer | undefined> {
  if (variant === 'full') return undefined;
  const full = await findBytes(imageStores, { sha256, variant: 'full' });
  return full && images[MAKERS[variant]](full);
}

/** Stores a variant unless its image has been deleted. A deletion at the same moment leaves an orphan. */
async function storeVariant({ db, imageStore }: ImageContext, key: ImageKey, bytes: Buffer): Promise<void> {
  if ((await findImages(db, [key.sha256])).has(key.sha256)) await imageStore.put([{ ...key, bytes }], 'replace');
}

/**
 * Loads a public image. Makes and stores a variant that is missing or in an older format; without capacity for that, returns what
 * is there or throws overloaded. An unknown name costs one query: neither object storage, which bills each request, nor the
 * making of variants.
 */
export async function loadImage(ctx: ImageContext, key: ImageKey): Promise<Buffer | undefined> {
  if (!(await isPublicImage(ctx.db, key.sha256))) return undefined;
  const stored = await findBytes(ctx.imageStores, key);
  if (stored && isInCurrentFormat(key.variant, stored)) return stored;
  const made = await make(ctx, key).catch((error: unknown) => {
    if (stored) return undefined;
    throw error;
  });
  // a storage failure does not prevent the response
  if (made) await storeVariant(ctx, key, made).catch((err) => ctx.log.warn({ err }, 'an image could not be stored'));
  return made ?? stored;
}

export async function storeCard(ctx: ImageContext, sha256: string): Promise<void> {
  const key = { sha256, variant: 'card' as const };
  if (await findBytes(ctx.imageStores, key)) return;
  const card = await make(ctx, key);
  if (card) await storeVariant(ctx, key, card);
}
