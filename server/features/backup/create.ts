import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { VARIANTS } from '../../../contract/image-variants.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { type ImageKey, toFileName } from '../../integrations/storage/storage.ts';
import { type ArchiveWriter, createArchiveWriter, type Manifest, type TableSum } from './archive.ts';
import {
  createTableReader,
  liftTimeouts,
  listAppliedMigrations,
  listBackupTables,
  listColumns,
  readImageBlobs,
  readSequences,
  readSnapshotImages,
} from './repository.ts';

const compress = promisify(gzip);

/** Bytes of rows per part before compression: held in memory, and restored by one COPY statement. */
const PART = 1024 * 1024;
const HASH = 32;
const IMAGES_AT_ONCE = 8;

export interface BackupOptions {
  images: boolean;
  signal?: AbortSignal;
  onProgress?: (what: string, done: number) => void;
}

const NEWLINE = 0x0a;
/** COPY escapes line feeds within values, so each one ends a row. */
const countLines = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
};

async function* toParts(stream: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (length + end >= PART && end > 0) {
      yield Buffer.concat([...waiting, chunk.subarray(0, end)]);
      waiting = [chunk.subarray(end)];
      length = chunk.length - end;
    } else {
      waiting.push(chunk);
      length += chunk.length;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}

async function addTable(
  trx: Trx,
  archive: ArchiveWriter,
  table: string,
  { signal, onProgress }: BackupOptions,
): Promise<TableSum> {
  const columns = await listColumns(trx, table);
  const hash = createHash('sha256');
  let rows = 0;
  let part = 0;
  for await (const bytes of toParts(await createTableReader(trx, table, columns))) {
    signal?.throwIfAborted();
    hash.update(bytes);
    rows += countLines(bytes);
    await archive.addRows(table, ++part, await compress(bytes, { level: 6 }));
    onProgress?.(table, rows);
  }
  return { rows, sha256: hash.digest('hex'), columns };
}

const NO_IMAGES = { included: false, objects: 0, bytes: 0, missing: 0 };

type ReadImages = (keys: readonly ImageKey[]) => Promise<readonly (Uint8Array | undefined)[]>;

async function addImages(
  read: ReadImages,
  archive: ArchiveWriter,
  names: Buffer,
  { signal, onProgress }: BackupOptions,
): Promise<Manifest['images']> {
  const sum = { ...NO_IMAGES, included: true };
  for (let at = 0; at < names.length; at += IMAGES_AT_ONCE * HASH) {
    signal?.throwIfAborted();
    const page = names.subarray(at, at + IMAGES_AT_ONCE * HASH);
    const keys = Array.from({ length: page.length / HASH }, (_, i) =>
      page.toString('hex', i * HASH, (i + 1) * HASH),
    ).flatMap((sha256) => VARIANTS.map((variant) => ({ sha256, variant })));
    for (const [i, bytes] of (await read(keys)).entries()) {
      const key = keys[i]!;
      if (!bytes && key.variant === 'full') sum.missing++;
      if (!bytes) continue;
      await archive.addImage(toFileName(key), bytes);
      sum.objects++;
      sum.bytes += bytes.length;
    }
    onProgress?.('images', sum.objects);
  }
  return sum;
}

/**
 * Writes a snapshot of the database as a tar: the rows in COPY's text format, the images as files, and checksums.
 * Leaves out sessions, waiting jobs and rate limits. Memory grows by 32 bytes per image.
 */
export async function createBackup(
  ctx: AppContext,
  write: (bytes: Uint8Array) => Promise<void>,
  options: BackupOptions,
): Promise<Manifest> {
  const archive = createArchiveWriter(write);
  const isInDatabase = ctx.imageStore.kind === 'database';
  const readSnapshot = async (trx: Trx) => {
    await liftTimeouts(trx);
    const head = {
      site: ctx.config.publicUrl,
      createdAt: ctx.clock.now().toISOString(),
      migrations: await listAppliedMigrations(trx),
    };
    await archive.addHead(head);
    const sequences = await readSequences(trx);
    const tables: Record<string, TableSum> = {};
    for (const table of await listBackupTables(trx)) tables[table] = await addTable(trx, archive, table, options);
    const names = options.images ? await readSnapshotImages(trx) : Buffer.alloc(0);
    const images =
      options.images && isInDatabase
        ? await addImages((keys) => readImageBlobs(trx, keys), archive, names, options)
        : NO_IMAGES;
    return { head, sequences, tables, names, images };
  };
  const { head, sequences, tables, names, ...snapshot } = await ctx.db.transaction(readSnapshot, {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
  // Outside the database, images are immutable files: reading them needs no open transaction.
  const readFiles: ReadImages = (keys) => Promise.all(keys.map((key) => ctx.imageStore.get(key)));
  const images =
    options.images && !isInDatabase ? await addImages(readFiles, archive, names, options) : snapshot.images;
  return archive.finish({ ...head, tables, sequences, images });
}
