import { createHash } from 'node:crypto';
import { type ImageKey, type ImageStore, VARIANTS, type Variant } from '../../adapters/image-store/image-store.ts';
import type { App } from '../../app.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/store.ts';
import { findImages, pageImageNames } from './store.ts';

const BATCH = 200;

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
export async function sumUpStore({ imageStore }: App): Promise<StoreSum[]> {
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

async function* listNames({ db }: App, signal?: AbortSignal): AsyncIterable<string> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const names = await pageImageNames(db, after, BATCH);
    yield* names;
    if (names.length < BATCH) return;
    after = names.at(-1)!;
  }
}

async function* listLeftOver({ db, imageStore }: App): AsyncIterable<ImageProblem> {
  let batch: ImageKey[] = [];
  async function* check() {
    const known = await findImages(db, [...new Set(batch.map(({ sha256 }) => sha256))]);
    for (const { sha256, variant } of batch)
      if (!known.has(sha256)) yield { sha256, variant, problem: 'left over' as const };
    batch = [];
  }
  for await (const key of imageStore.list()) if (batch.push(key) >= BATCH) yield* check();
  yield* check();
}

/** Reads every picture that has a row, then looks for objects that have none. */
export async function* verifyImages(app: App, { signal, onProgress }: CareOptions = {}): AsyncIterable<ImageProblem> {
  let done = 0;
  for await (const sha256 of listNames(app, signal)) {
    yield* checkPicture(app.imageStore, sha256);
    onProgress?.(++done);
  }
  yield* listLeftOver(app);
}

/** Copies what `target` lacks, picture by picture; may be aborted and begun again. */
export async function copyImages(
  app: App,
  actor: Actor,
  source: ImageStore,
  target: ImageStore,
  { signal, isDryRun, onProgress }: CareOptions = {},
): Promise<{ copied: number; skipped: number }> {
  const counts = { copied: 0, skipped: 0 };
  for await (const key of source.list()) {
    if (signal?.aborted) break;
    if ((await target.get(key)) !== undefined) counts.skipped++;
    else if (await (isDryRun ? hasRow(app, key) : copyOne(app, source, target, key))) counts.copied++;
    onProgress?.(counts.copied + counts.skipped);
  }
  const details = { from: source.kind, to: target.kind, ...counts };
  if (counts.copied > 0 && !isDryRun)
    await app.db.transaction((trx) => recordAudit(trx, actor, { action: 'image.migrate', details }));
  return counts;
}

/** It has a row: it is no object left over. */
const hasRow = async ({ db }: App, { sha256 }: ImageKey): Promise<boolean> => (await findImages(db, [sha256])).size > 0;

/** False where the picture went while we copied. */
async function copyOne(app: App, source: ImageStore, target: ImageStore, key: ImageKey): Promise<boolean> {
  const bytes = await source.get(key);
  if (bytes === undefined || !(await hasRow(app, key))) return false;
  await app.db.transaction((trx) => target.put(trx, [{ ...key, bytes }]));
  return true;
}
