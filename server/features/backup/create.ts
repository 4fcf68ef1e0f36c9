import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { VARIANTS } from '../../../contract/image-variants.ts';
import type { AppContext } from '../../app-context.ts';
import type { Trx } from '../../db/pools.ts';
import { createImageStore } from '../../integrations/storage/create.ts';
import {
  FORMAT,
  HEAD,
  type Head,
  MANIFEST,
  type Manifest,
  SEAL,
  type TableSum,
  toDataMemberName,
  toMember,
  toSeal,
} from './manifest.ts';
import {
  createTableReader,
  liftTimeouts,
  listAppliedMigrations,
  listBackupTables,
  pageSnapshotImages,
  readSequences,
} from './repository.ts';
import { createTarWriter, type TarWriter } from './tar.ts';

const compress = promisify(gzip);

/** Uncompressed bytes of a part: what is held in memory, and one COPY statement when restoring. */
const PART = 1024 * 1024;
const IMAGES_AT_ONCE = 200;

export interface BackupOptions {
  /** False leaves the pictures out: for stores that are backed up by themselves. */
  images: boolean;
  signal?: AbortSignal;
  onProgress?: (what: string, done: number) => void;
}

const NEWLINE = 0x0a;
/** COPY escapes line feeds within values: each one ends a row. */
const countLines = (bytes: Buffer): number => {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
};

/** Cuts a stream into parts of whole lines. */
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
  tar: TarWriter,
  table: string,
  { signal, onProgress }: BackupOptions,
): Promise<TableSum> {
  const hash = createHash('sha256');
  let rows = 0;
  let part = 0;
  for await (const bytes of toParts(await createTableReader(trx, table))) {
    signal?.throwIfAborted();
    hash.update(bytes);
    rows += countLines(bytes);
    await tar.add(toDataMemberName(table, ++part), await compress(bytes, { level: 6 }));
    onProgress?.(table, rows);
  }
  return { rows, sha256: hash.digest('hex') };
}

async function addImages(ctx: AppContext, trx: Trx, tar: TarWriter, { signal, onProgress }: BackupOptions) {
  // the database's pictures are read in the snapshot; elsewhere they are files whose names never change their meaning
  const store = createImageStore(ctx.config, trx);
  const sum = { included: true, objects: 0, bytes: 0, missing: 0 };
  for (let after = ''; ; ) {
    const names = await pageSnapshotImages(trx, after, IMAGES_AT_ONCE);
    for (const sha256 of names)
      for (const variant of VARIANTS) {
        signal?.throwIfAborted();
        const bytes = await store.get({ sha256, variant });
        if (!bytes && variant === 'full') sum.missing++;
        if (!bytes) continue;
        await tar.add(`images/${sha256}.${variant}.jpg`, bytes);
        sum.objects++;
        sum.bytes += bytes.length;
      }
    onProgress?.('pictures', sum.objects);
    if (names.length < IMAGES_AT_ONCE) return sum;
    after = names.at(-1)!;
  }
}

const NO_IMAGES = { included: false, objects: 0, bytes: 0, missing: 0 };

async function writeBackup(ctx: AppContext, trx: Trx, tar: TarWriter, options: BackupOptions): Promise<Manifest> {
  await liftTimeouts(trx);
  const migrations = await listAppliedMigrations(trx);
  const head: Head = {
    format: FORMAT,
    site: ctx.config.publicUrl,
    createdAt: ctx.clock.now().toISOString(),
    migrations,
  };
  await tar.add(HEAD, toMember(head));
  const sequences = await readSequences(trx);
  const tables: Record<string, TableSum> = {};
  for (const table of await listBackupTables(trx)) tables[table] = await addTable(trx, tar, table, options);
  const images = options.images ? await addImages(ctx, trx, tar, options) : NO_IMAGES;
  const manifest: Manifest = { ...head, tables, sequences, images, sha256: tar.digest() };
  const member = toMember(manifest);
  await tar.add(MANIFEST, member);
  await tar.add(SEAL, Buffer.from(`${toSeal(member)}\n`));
  await tar.end();
  return manifest;
}

/**
 * Writes everything of one moment as a tar: rows in COPY's text format, pictures as files, sums of all of it. Sessions,
 * waiting jobs and rate limits stay out. Memory stays the same however much there is.
 */
export const createBackup = (
  ctx: AppContext,
  write: (bytes: Uint8Array) => Promise<void>,
  options: BackupOptions,
): Promise<Manifest> =>
  ctx.db.transaction((trx) => writeBackup(ctx, trx, createTarWriter(write), options), {
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
