import { once } from 'node:events';
import type { AppContext } from '../../app-context.ts';
import { publish } from '../../db/events.ts';
import type { Trx } from '../../db/pools.ts';
import { withoutIndexes } from '../../db/without-indexes.ts';
import { conflict } from '../../errors.ts';
import { createImageStore } from '../../integrations/storage/create.ts';
import type { Actor } from '../../policy.ts';
import { recordAudit } from '../audit/repository.ts';
import { readMaintenance, writeMaintenance } from '../maintenance/repository.ts';
import type { Manifest } from './manifest.ts';
import {
  cancelWaitingPosts,
  countRows,
  createTableWriter,
  getConnection,
  liftTimeouts,
  listAppliedMigrations,
  listBackupTables,
  listFilledTables,
  truncateAll,
  writeSequences,
} from './repository.ts';
import { DamagedBackup } from './tar.ts';
import { readBackup } from './verify.ts';

/** The schema is not the one that the backup was made of. */
export class SchemaMismatch extends Error {}

export interface RestoreOptions {
  /** Empties the database first; else it must be empty, but for categories. */
  replace: boolean;
  reason?: string | undefined;
  signal?: AbortSignal;
  onProgress?: (what: string, done: number) => void;
}

const checkSchema = async (trx: Trx, { migrations }: Manifest): Promise<void> => {
  const applied = await listAppliedMigrations(trx);
  const missing = migrations.filter((name) => !applied.includes(name));
  const additional = applied.filter((name) => !migrations.includes(name));
  if (missing.length + additional.length === 0) return;
  const say = (what: string, names: string[]) => (names.length > 0 ? ` ${what}: ${names.join(', ')}.` : '');
  throw new SchemaMismatch(
    `The schema is not the backup's.${say('The database lacks', missing)}${say('The backup lacks', additional)}`,
  );
};

/** Seeds and the log of having been seeded are no marketplace. */
const MAY_BE_FILLED = ['categories', 'settings', 'audit_log'];

async function checkEmpty(trx: Trx, tables: readonly string[]): Promise<void> {
  const filled = (await listFilledTables(trx, tables)).filter((table) => !MAY_BE_FILLED.includes(table));
  if (filled.length > 0) throw conflict(`The database is not empty: ${filled.join(', ')}`);
}

/** The tables to fill, once it is settled that the backup may go there. */
async function takeTables(trx: Trx, manifest: Manifest, replace: boolean): Promise<string[]> {
  await checkSchema(trx, manifest);
  const tables = await listBackupTables(trx);
  if (!replace) await checkEmpty(trx, tables);
  return tables;
}

/** Throws what restoreBackup would throw before it changes anything. */
export const checkRestore = (
  ctx: AppContext,
  manifest: Manifest,
  { replace }: Pick<RestoreOptions, 'replace'>,
): Promise<void> =>
  ctx.db.transaction(async (trx) => void (await takeTables(trx, manifest, replace)), { readOnly: true });

const writeRows = async (trx: Trx, table: string, bytes: Buffer): Promise<void> => {
  const stream = await createTableWriter(trx, table);
  stream.end(bytes);
  await once(stream, 'finish');
};

async function writeParts(ctx: AppContext, trx: Trx, path: string, tables: readonly string[], options: RestoreOptions) {
  const done = new Map<string, number>();
  // the rows that the database store refers to are visible in this transaction only
  const store = createImageStore(ctx.config, trx);
  const progress = (what: string, more: number) => {
    done.set(what, (done.get(what) ?? 0) + more);
    options.onProgress?.(what, done.get(what)!);
  };
  for await (const part of readBackup(path)) {
    options.signal?.throwIfAborted();
    if (part.kind === 'rows') {
      if (!tables.includes(part.table)) throw new DamagedBackup(`there is no table ${part.table}`);
      await writeRows(trx, part.table, part.bytes);
      progress(part.table, 1);
    }
    if (part.kind === 'image') {
      await store.put([{ ...part.key, bytes: part.bytes }]);
      progress('pictures', 1);
    }
  }
}

const checkCounts = async (trx: Trx, { tables }: Manifest): Promise<void> => {
  for (const [table, { rows }] of Object.entries(tables)) {
    const count = await countRows(trx, table);
    if (count !== rows) throw new DamagedBackup(`${table} has ${count} rows, but should have ${rows}`);
  }
};

/**
 * Fills a migrated database with a verified backup, in one transaction: all of it or nothing. Triggers count and list the
 * ads anew. Pictures go into the store in force; in one outside the database they stay when the rest is rolled back.
 */
export const restoreBackup = (
  ctx: AppContext,
  actor: Actor,
  path: string,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<void> =>
  ctx.db.transaction(async (trx) => {
    await liftTimeouts(trx);
    const tables = await takeTables(trx, manifest, options.replace);
    const maintenance = await readMaintenance(trx);
    await truncateAll(trx, tables);
    const fill = () => writeParts(ctx, trx, path, tables, options);
    await withoutIndexes(await getConnection(trx), 'ads', fill);
    await checkCounts(trx, manifest);
    await writeSequences(trx, manifest.sequences);
    await cancelWaitingPosts(trx);
    // it is a setting too: the site stays closed, or open, as it is now and not as it was then
    await writeMaintenance(trx, maintenance);
    await trx.raw('select fold_counters()');
    await publish(trx, 'sessions', null);
    const details = { createdAt: manifest.createdAt, site: manifest.site, reason: options.reason };
    await recordAudit(trx, actor, { action: 'backup.restore', details });
  });
