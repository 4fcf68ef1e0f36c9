import { once } from 'node:events';
import type { AppContext } from '../../app-context.ts';
import { withoutIndexes } from '../../db/bulk.ts';
import { publish } from '../../db/events.ts';
import { applyInTransaction, listMigrationNames, lockMigrations, revertInTransaction } from '../../db/migrate.ts';
import { countRows, type Trx } from '../../db/pools.ts';
import { AppError } from '../../errors.ts';
import { createImageStore } from '../../integrations/storage/create.ts';
import type { ImageBytes, ImageStore } from '../../integrations/storage/storage.ts';
import type { Actor } from '../../policy.ts';
import { resumeRemovals } from '../account/removal.ts';
import { resumePriceDrops } from '../ads/price-drops.ts';
import { expireRestoredAds } from '../ads/repository.ts';
import { indexAllAds } from '../ads/search/index-ads.ts';
import { lexiconOf } from '../ads/search/lexicon.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { resumeAnnouncements } from '../follows/announcements.ts';
import { resumePhotos } from '../imports/resume-photos.ts';
import { resumeReminders } from '../messages/reminders.ts';
import { skipOpenDeliveries } from '../notifications/delivery-repository.ts';
import { resumeFanOuts } from '../notifications/fan-outs.ts';
import { resumeNotices } from '../notifications/notices.ts';
import { skipNotifications } from '../saved-searches/matches-repository.ts';
import { readMaintenance, writeMaintenance } from '../settings/repository.ts';
import { foldCounters } from '../stats/repository.ts';
import { endRestoredDeliveries } from '../webhooks/deliveries-repository.ts';
import { type BackupPart, DamagedBackup, type Manifest, readBackup } from './archive.ts';
import {
  beginBulkLoad,
  cancelWaitingPosts,
  createTableWriter,
  getConnection,
  isLeftOut,
  liftTimeouts,
  listAppliedMigrations,
  listBackupTables,
  listColumns,
  listFilledTables,
  truncateAll,
  writeSequences,
} from './repository.ts';

export class SchemaMismatch extends Error {}

export interface RestoreOptions extends AuditContext {
  /** Empty the database first; otherwise it must be empty, except for rows of seeds and operators. */
  replace: boolean;
  signal?: AbortSignal;
  onProgress?: (what: string, done: number) => void;
}

interface SchemaSteps {
  revert: string[];
  /** Oldest first; includes the backup's own migrations that had to be reverted. */
  applyBefore: string[];
  applyAfter: string[];
}

async function planSchemaSteps(trx: Trx, { migrations }: Manifest): Promise<SchemaSteps> {
  const known = await listMigrationNames();
  const applied = await listAppliedMigrations(trx);
  const newest = migrations.filter((name) => !known.includes(name));
  if (newest.length > 0)
    throw new SchemaMismatch(
      `The backup is of a newer release, with migrations that this one does not have: ${newest.join(', ')}. Restore it with that release or a later one.`,
    );
  const unknown = applied.filter((name) => !known.includes(name));
  const missing = migrations.filter((name) => !applied.includes(name));
  const say = (what: string, names: string[]) => (names.length > 0 ? ` ${what}: ${names.join(', ')}.` : '');
  if (unknown.length + missing.length > 0)
    throw new SchemaMismatch(
      `The schema is not the backup's.${say('The database lacks', missing)}${say('The backup lacks', unknown)}`,
    );
  const first = applied.findIndex((name) => !migrations.includes(name));
  if (first === -1) return { revert: [], applyBefore: [], applyAfter: [] };
  const later = applied.slice(first);
  return {
    revert: later.toReversed(),
    applyBefore: later.filter((name) => migrations.includes(name)),
    applyAfter: later.filter((name) => !migrations.includes(name)),
  };
}

/** Tables that seeds and operators fill in an otherwise empty database. */
const MAY_BE_FILLED = ['categories', 'category_aliases', 'places', 'place_names', 'settings', 'audit_log'];

async function prepareRestore(trx: Trx, manifest: Manifest, replace: boolean) {
  const steps = await planSchemaSteps(trx, manifest);
  const tables = await listBackupTables(trx);
  if (replace) return { steps, tables };
  const filled = (await listFilledTables(trx, tables)).filter((table) => !MAY_BE_FILLED.includes(table));
  if (filled.length > 0) throw new AppError('conflict', { message: `The database is not empty: ${filled.join(', ')}` });
  return { steps, tables };
}

export const checkRestore = (
  ctx: AppContext,
  manifest: Manifest,
  { replace }: Pick<RestoreOptions, 'replace'>,
): Promise<void> =>
  ctx.db.transaction(async (trx) => void (await prepareRestore(trx, manifest, replace)), { readOnly: true });

type Rows = Extract<BackupPart, { kind: 'rows' }>;

async function* readParts<K extends BackupPart['kind']>(path: string, kind: K, options: RestoreOptions) {
  const done = new Map<string, number>();
  for await (const part of readBackup(path)) {
    options.signal?.throwIfAborted();
    if (part.kind !== kind) continue;
    yield part as Extract<BackupPart, { kind: K }>;
    const what = part.kind === 'rows' ? part.table : 'images';
    done.set(what, (done.get(what) ?? 0) + 1);
    options.onProgress?.(what, done.get(what)!);
  }
}

async function writeRows(trx: Trx, path: string, { tables }: Manifest, options: RestoreOptions): Promise<void> {
  const known = await listBackupTables(trx);
  const write = async ({ table, bytes }: Rows) => {
    if (isLeftOut(table)) return;
    if (!known.includes(table)) throw new DamagedBackup(`there is no table ${table}`);
    const columns = tables[table]?.columns ?? (await listColumns(trx, table));
    const stream = await createTableWriter(trx, table, columns);
    stream.end(bytes);
    await once(stream, 'finish');
  };
  const writeAll = async () => {
    for await (const part of readParts(path, 'rows', options)) await write(part);
  };
  if (!known.includes('ads')) return writeAll();
  const client = await getConnection(trx);
  await withoutIndexes(client, 'ads', () => withoutIndexes(client, 'listed_ads', writeAll));
}

const IMAGE_BATCH = 4 * 1024 * 1024;

async function writeImages(path: string, options: RestoreOptions, store: ImageStore): Promise<void> {
  let batch: ImageBytes[] = [];
  let size = 0;
  for await (const { key, bytes } of readParts(path, 'image', options)) {
    batch.push({ ...key, bytes });
    size += bytes.length;
    if (size < IMAGE_BATCH) continue;
    await store.put(batch);
    batch = [];
    size = 0;
  }
  await store.put(batch);
}

async function checkCounts(trx: Trx, { tables }: Manifest): Promise<void> {
  for (const [table, { rows }] of Object.entries(tables)) {
    if (isLeftOut(table)) continue;
    const count = await countRows(trx(table));
    if (count !== rows) throw new DamagedBackup(`${table} has ${count} rows, but should have ${rows}`);
  }
}

/**
 * Fills a migrated database with a verified backup in one transaction. For a backup of an older schema, the emptied
 * database is reverted to that schema, filled, and migrated again. Triggers count and list the ads. Images go into the
 * configured store; outside the database they are written first, and a sweep deletes them if the transaction fails.
 */
export async function restoreBackup(
  ctx: AppContext,
  actor: Actor,
  path: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<void> {
  await checkRestore(ctx, manifest, options);
  const isInDatabase = ctx.imageStore.kind === 'database';
  if (!isInDatabase) await writeImages(path, options, ctx.imageStore);
  await ctx.db.transaction(async (trx) => {
    await liftTimeouts(trx);
    await beginBulkLoad(trx);
    await lockMigrations(trx);
    const { steps, tables } = await prepareRestore(trx, manifest, options.replace);
    const maintenance = await readMaintenance(trx);
    await truncateAll(trx, tables);
    await revertInTransaction(trx, steps.revert);
    await applyInTransaction(trx, steps.applyBefore);
    await writeRows(trx, path, manifest, options);
    await checkCounts(trx, manifest);
    await writeSequences(trx, manifest.sequences);
    await applyInTransaction(trx, steps.applyAfter);
    await indexAllAds(trx, lexiconOf(ctx));
    // The database store needs the rows of its images, which only this transaction sees.
    if (isInDatabase) await writeImages(path, options, createImageStore(ctx.config, trx));
    await cancelWaitingPosts(trx);
    await skipOpenDeliveries(trx);
    await endRestoredDeliveries(trx);
    await resumeRemovals(trx);
    await resumeFanOuts(trx);
    await resumeNotices(trx);
    await resumeAnnouncements(trx);
    await resumePhotos(trx);
    await resumeReminders(trx);
    await resumePriceDrops(trx);
    await skipNotifications(trx);
    await expireRestoredAds(trx);
    // Maintenance is also a setting: a restore does not open or close the site.
    await writeMaintenance(trx, maintenance);
    await foldCounters(trx);
    await publish(trx, 'sessions', null);
    await publish(trx, 'brand', {});
    await publish(trx, 'pages', {});
    const details = { createdAt: manifest.createdAt, site: manifest.site, reason: options.reason };
    await recordAudit(trx, actor, { action: 'backup.restore', details });
  });
}
