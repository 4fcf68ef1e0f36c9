import { createHash } from 'node:crypto';
import type { AppContext } from '../../app-context.ts';
import { type ImageKey, type ImageStore, VARIANTS, type Variant } from '../../integrations/storage/storage.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { deleteUnusedImages, findImages, lockImageShared, pageImageNames } from './repository.ts';

const SWEEP_BATCH = 50;
const HOUR = 3_600_000;

/**
 * Deletes the pictures that no ad shows any more. The bytes go while the deleted rows are still locked: an upload of the
 * same picture waits for the commit and then stores it anew. A crash in between leaves a row without bytes that no ad
 * shows, for the next run. Returns how many went.
 */
export async function deleteUnusedImageFiles({ db, imageStores }: AppContext): Promise<number> {
  // in the database the bytes go with their rows
  const others = imageStores.filter(({ kind }) => kind !== 'database');
  for (let collected = 0; ; ) {
    const gone = await db.transaction(async (trx) => {
      const deleted = await deleteUnusedImages(trx, SWEEP_BATCH);
      await Promise.all(deleted.flatMap((sha256) => others.map((store) => store.delete(sha256))));
      return deleted;
    });
    collected += gone.length;
    if (gone.length < SWEEP_BATCH) return collected;
  }
}

/**
 * Deletes objects stored more than an hour ago that have no row: left by a rolled-back upload or a crash. Younger ones may
 * belong to an upload that has not committed yet. Returns how many pictures went; a dry run counts them only.
 */
export async function sweepImageStorage(ctx: AppContext, isDryRun = false): Promise<number> {
  const before = ctx.clock.now().getTime() - HOUR;
  const swept = new Set<string>();
  let batch = new Set<string>();
  const sweep = async () => {
    const known = await findImages(ctx.db, [...batch]);
    for (const sha256 of batch) {
      if (known.has(sha256)) continue;
      if (!isDryRun) await ctx.imageStore.delete(sha256);
      swept.add(sha256);
    }
    batch = new Set();
  };
  for await (const { sha256, storedAt } of ctx.imageStore.list())
    if (storedAt < before && batch.add(sha256).size >= SWEEP_BATCH) await sweep();
  await sweep();
  return swept.size;
}

/** What making and keeping pictures takes; the rest of the ctx is not there yet when its cache is opened. */
type Studio = Pick<AppContext, 'db' | 'images' | 'imageStore' | 'imageStores' | 'log'>;

/** Made of the full rendition: `card` by a job or for whoever asks before it, `medium` for whoever asks first. */
const makers = { card: 'makeCard', medium: 'makeMedium' } as const;

const isMade = (key: ImageKey): key is ImageKey & { variant: keyof typeof makers } => key.variant in makers;

/** The bytes of a picture from the first store that has it. */
async function findPicture(stores: readonly ImageStore[], key: ImageKey): Promise<Buffer | undefined> {
  for (const store of stores) {
    const bytes = await store.get(key);
    if (bytes) return bytes;
  }
  return undefined;
}

async function render({ images, imageStores }: Studio, key: ImageKey): Promise<Buffer | undefined> {
  if (!isMade(key)) return undefined;
  const full = await findPicture(imageStores, { ...key, variant: 'full' });
  return full && images[makers[key.variant]](full);
}

/** Keeps a rendition while its picture exists: it may have been deleted meanwhile. */
const keep = ({ db, imageStore }: Studio, key: ImageKey, bytes: Buffer): Promise<void> =>
  db.transaction(async (trx) => {
    if (await lockImageShared(trx, key.sha256)) await imageStore.put(trx, [{ ...key, bytes }]);
  });

/** A picture by its name; a rendition that nobody has made yet is made now and kept. May throw overloaded. */
export async function loadImage(studio: Studio, key: ImageKey): Promise<Buffer | undefined> {
  const stored = await findPicture(studio.imageStores, key);
  if (stored) return stored;
  const made = await render(studio, key);
  // whoever asks gets it all the same
  if (made) await keep(studio, key, made).catch((err) => studio.log.warn({ err }, 'a picture could not be kept'));
  return made;
}

/** Makes and keeps the picture for link previews. A job: runs after the ad is posted. */
export async function storeCard(studio: Studio, sha256: string): Promise<void> {
  const key = { sha256, variant: 'card' as const };
  if (await findPicture(studio.imageStores, key)) return;
  const card = await render(studio, key);
  if (card) await keep(studio, key, card);
}

const CARE_BATCH = 200;

export interface CareOptions {
  signal?: AbortSignal;
  /** Counts what would be copied, and copies nothing. */
  isDryRun?: boolean | undefined;
  onProgress?: (done: number) => void;
}

export interface StoreSum {
  store: string;
  variant: Variant;
  objects: number;
  bytes: number;
}

/** Objects and bytes of the store, by variant. */
export async function sumUpStore({ imageStore }: AppContext): Promise<StoreSum[]> {
  const sums = new Map<Variant, StoreSum>();
  for await (const { variant, bytes } of imageStore.list()) {
    const sum = sums.get(variant) ?? { store: imageStore.kind, variant, objects: 0, bytes: 0 };
    sums.set(variant, { ...sum, objects: sum.objects + 1, bytes: sum.bytes + bytes });
  }
  return [...sums.values()];
}

export interface ImageProblem extends ImageKey {
  problem: 'missing' | 'damaged' | 'left over';
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const isWhole = ({ sha256, variant }: ImageKey, bytes: Buffer): boolean =>
  variant === 'full' ? createHash('sha256').update(bytes).digest('hex') === sha256 : bytes.subarray(0, 3).equals(JPEG);

async function* checkPicture(store: ImageStore, sha256: string): AsyncIterable<ImageProblem> {
  for (const variant of VARIANTS) {
    const bytes = await store.get({ sha256, variant });
    // the others are made later, and perhaps never
    if (bytes === undefined && (variant === 'full' || variant === 'thumb'))
      yield { sha256, variant, problem: 'missing' };
    if (bytes !== undefined && !isWhole({ sha256, variant }, bytes)) yield { sha256, variant, problem: 'damaged' };
  }
}

async function* listNames({ db }: AppContext, signal?: AbortSignal): AsyncIterable<string> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const names = await pageImageNames(db, after, CARE_BATCH);
    yield* names;
    if (names.length < CARE_BATCH) return;
    after = names.at(-1)!;
  }
}

async function* listLeftOver({ db, imageStore }: AppContext): AsyncIterable<ImageProblem> {
  let batch: ImageKey[] = [];
  async function* check() {
    const known = await findImages(db, [...new Set(batch.map(({ sha256 }) => sha256))]);
    for (const { sha256, variant } of batch)
      if (!known.has(sha256)) yield { sha256, variant, problem: 'left over' as const };
    batch = [];
  }
  for await (const key of imageStore.list()) if (batch.push(key) >= CARE_BATCH) yield* check();
  yield* check();
}

/** Reads every picture that has a row, then looks for objects that have none. */
export async function* verifyImages(
  ctx: AppContext,
  { signal, onProgress }: CareOptions = {},
): AsyncIterable<ImageProblem> {
  let done = 0;
  for await (const sha256 of listNames(ctx, signal)) {
    yield* checkPicture(ctx.imageStore, sha256);
    onProgress?.(++done);
  }
  yield* listLeftOver(ctx);
}

/** Copies what `target` lacks, picture by picture; may be aborted and begun again. */
export async function copyImages(
  ctx: AppContext,
  actor: Actor,
  source: ImageStore,
  target: ImageStore,
  { signal, isDryRun, onProgress }: CareOptions = {},
): Promise<{ copied: number; skipped: number }> {
  const counts = { copied: 0, skipped: 0 };
  for await (const key of source.list()) {
    if (signal?.aborted) break;
    if ((await target.get(key)) !== undefined) counts.skipped++;
    else if (await (isDryRun ? hasRow(ctx, key) : copyOne(ctx, source, target, key))) counts.copied++;
    onProgress?.(counts.copied + counts.skipped);
  }
  const details = { from: source.kind, to: target.kind, ...counts };
  if (counts.copied > 0 && !isDryRun)
    await ctx.db.transaction((trx) => recordAudit(trx, actor, { action: 'image.migrate', details }));
  return counts;
}

/** It has a row: it is no object left over. */
const hasRow = async ({ db }: AppContext, { sha256 }: ImageKey): Promise<boolean> =>
  (await findImages(db, [sha256])).size > 0;

/** False where the picture went while we copied. */
async function copyOne(ctx: AppContext, source: ImageStore, target: ImageStore, key: ImageKey): Promise<boolean> {
  const bytes = await source.get(key);
  if (bytes === undefined || !(await hasRow(ctx, key))) return false;
  await ctx.db.transaction((trx) => target.put(trx, [{ ...key, bytes }]));
  return true;
}
