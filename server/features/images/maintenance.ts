import { createHash } from 'node:crypto';
import { isUploadVariant, VARIANTS, type Variant } from '../../../contract/image-variants.ts';
import type { AppContext } from '../../app-context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { sniffFormat } from '../../integrations/images/formats.ts';
import type { ImageKey, ImageStore } from '../../integrations/storage/storage.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { findImages, pageImageNames } from './repository.ts';

const BATCH = 200;

export interface MaintenanceOptions {
  signal?: AbortSignal;
  isDryRun?: boolean | undefined;
  onProgress?: (done: number) => void;
}

export interface VariantTotal {
  store: string;
  variant: Variant;
  objects: number;
  bytes: number;
}

export async function countStoredImages({ imageStore }: AppContext): Promise<VariantTotal[]> {
  const totals = new Map<Variant, VariantTotal>();
  for await (const { variant, bytes } of imageStore.list()) {
    const total = totals.get(variant) ?? { store: imageStore.kind, variant, objects: 0, bytes: 0 };
    totals.set(variant, { ...total, objects: total.objects + 1, bytes: total.bytes + bytes });
  }
  return [...totals.values()];
}

export interface ImageProblem extends ImageKey {
  problem: 'missing' | 'damaged' | 'left over';
}

const isWhole = ({ sha256, variant }: ImageKey, bytes: Buffer): boolean =>
  variant === 'full' ? createHash('sha256').update(bytes).digest('hex') === sha256 : sniffFormat(bytes) !== undefined;

async function* verifyImage(store: ImageStore, sha256: string): AsyncIterable<ImageProblem> {
  for (const variant of VARIANTS) {
    const bytes = await store.get({ sha256, variant });
    // other variants are made on demand
    if (bytes === undefined && isUploadVariant(variant)) yield { sha256, variant, problem: 'missing' };
    if (bytes !== undefined && !isWhole({ sha256, variant }, bytes)) yield { sha256, variant, problem: 'damaged' };
  }
}

async function* listNames({ db }: AppContext, signal?: AbortSignal): AsyncIterable<string> {
  for (let after = ''; ; ) {
    signal?.throwIfAborted();
    const names = await pageImageNames(db, after, BATCH);
    yield* names;
    if (names.length < BATCH) return;
    after = names.at(-1)!;
  }
}

async function* listOrphans({ db, imageStore }: AppContext): AsyncIterable<ImageProblem> {
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

export async function* verifyImages(
  ctx: AppContext,
  { signal, onProgress }: MaintenanceOptions = {},
): AsyncIterable<ImageProblem> {
  let done = 0;
  for await (const sha256 of listNames(ctx, signal)) {
    yield* verifyImage(ctx.imageStore, sha256);
    onProgress?.(++done);
  }
  yield* listOrphans(ctx);
}

/** Copies the objects that `target` lacks; may be aborted and started again. */
export async function copyImages(
  ctx: AppContext,
  actor: Actor,
  source: ImageStore,
  target: ImageStore,
  { signal, isDryRun, onProgress }: MaintenanceOptions = {},
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
    await inTransaction(ctx.db, (trx) => recordAudit(trx, actor, { action: 'image.migrate', details }));
  return counts;
}

const hasRow = async ({ db }: AppContext, { sha256 }: ImageKey): Promise<boolean> =>
  (await findImages(db, [sha256])).size > 0;

async function copyOne(ctx: AppContext, source: ImageStore, target: ImageStore, key: ImageKey): Promise<boolean> {
  const bytes = await source.get(key);
  if (bytes === undefined || !(await hasRow(ctx, key))) return false;
  await target.put([{ ...key, bytes }]);
  return true;
}
