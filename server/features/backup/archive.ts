import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import tar from 'tar-stream';
import { type ImageKey, parseFileName } from '../../integrations/storage/storage.ts';

// This file defines the format of a backup: a tar of short plain files, in order: the head, the rows of each table in
// gzipped parts, the images, the manifest, and the manifest's checksum. Any tar program lists and unpacks it.

const FORMAT = 1;
const HEAD = 'tradepost-backup.json';
const MANIFEST = 'manifest.json';
const SEAL = 'manifest.json.sha256';

const BLOCK = 512;
const MAX_MEMBER = 64 * 1024 * 1024;

export class DamagedBackup extends Error {}

export interface Head {
  format: number;
  site: string;
  createdAt: string;
  migrations: string[];
}

export interface TableSum {
  rows: number;
  sha256: string;
  /** The columns of each row, in order. Backups of 0.1.0 lack them and use the order of the schema. */
  columns?: string[];
}

/** The last member before the checksum: the expected contents of the file. */
export interface Manifest extends Head {
  tables: Record<string, TableSum>;
  sequences: Record<string, string>;
  images: { included: boolean; objects: number; bytes: number; missing: number };
  sha256: string;
}

export type BackupPart =
  | { kind: 'head'; head: Head }
  | { kind: 'rows'; table: string; bytes: Buffer }
  | { kind: 'image'; key: ImageKey; bytes: Buffer }
  | { kind: 'manifest'; manifest: Manifest };

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

export interface ArchiveWriter {
  addHead(head: Omit<Head, 'format'>): Promise<void>;
  addRows(table: string, part: number, rows: Buffer): Promise<void>;
  addImage(fileName: string, bytes: Uint8Array): Promise<void>;
  finish(manifest: Omit<Manifest, 'format' | 'sha256'>): Promise<Manifest>;
}

export function createArchiveWriter(write: (bytes: Uint8Array) => Promise<void>): ArchiveWriter {
  const pack = tar.pack();
  const hash = createHash('sha256');
  const flush = async (size: number): Promise<void> => {
    for (let left = size; left > 0; ) {
      const chunk = pack.read() as Buffer | null;
      if (chunk === null) {
        await once(pack, 'readable');
        continue;
      }
      left -= chunk.length;
      hash.update(chunk);
      await write(chunk);
    }
  };
  const add = (name: string, body: Uint8Array): Promise<void> => {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    pack.entry({ name, mode: 0o600, mtime: new Date(0) }, bytes);
    return flush(BLOCK + bytes.length + paddingOf(bytes.length));
  };
  const toJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return {
    addHead: (head) => add(HEAD, toJson({ format: FORMAT, ...head })),
    addRows: (table, part, rows) => add(`data/${table}/${String(part).padStart(6, '0')}.copy.gz`, rows),
    addImage: (fileName, bytes) => add(`images/${fileName}`, bytes),
    async finish(content) {
      const manifest = { format: FORMAT, ...content, sha256: hash.copy().digest('hex') };
      const bytes = toJson(manifest);
      await add(MANIFEST, bytes);
      await add(SEAL, Buffer.from(`${sha256(bytes)}\n`));
      pack.finalize();
      await flush(2 * BLOCK);
      return manifest;
    },
  };
}

interface Member {
  name: string;
  body: Buffer;
  digestBefore: string;
}

/** Reads the members one after another. Throws DamagedBackup if the file is cut off, too long or not a tar. */
async function* readMembers(path: string): AsyncIterable<Member> {
  const hash = createHash('sha256');
  let pending = Buffer.alloc(0);
  let hashed = 0;
  let padding = 0;
  const hashUpTo = (offset: number) => {
    const bytes = pending.subarray(0, offset - hashed);
    if (!isZero(bytes.subarray(bytes.length - padding))) throw new DamagedBackup('bytes behind a member are damaged');
    hash.update(bytes);
    pending = pending.subarray(bytes.length);
    hashed = offset;
  };
  async function* readFile(): AsyncIterable<Buffer> {
    for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
      pending = Buffer.concat([pending, chunk]);
      yield chunk;
    }
  }
  const extract = tar.extract();
  Readable.from(readFile(), { objectMode: false })
    .on('error', (error) => extract.destroy(error))
    .pipe(extract);
  let end = 0;
  try {
    for await (const entry of extract) {
      const { name, size = 0 } = entry.header;
      if (size > MAX_MEMBER) throw new DamagedBackup('a size is damaged');
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      hashUpTo(end);
      yield { name, body: Buffer.concat(chunks), digestBefore: hash.copy().digest('hex') };
      padding = paddingOf(size);
      end += BLOCK + size + padding;
    }
    hashUpTo(end);
  } catch (error) {
    if (error instanceof DamagedBackup || (error as NodeJS.ErrnoException).syscall) throw error;
    const isCut = (error as Error).message === 'Unexpected end of data';
    throw new DamagedBackup(isCut ? 'the file is cut off' : 'a header is damaged');
  }
  if (pending.length < 2 * BLOCK) throw new DamagedBackup('the file is cut off');
  if (pending.length > 2 * BLOCK || !isZero(pending)) throw new DamagedBackup('the end of the file is damaged');
}

const parseJson = <T>({ name, body }: Member): T => {
  try {
    return JSON.parse(body.toString('utf8')) as T;
  } catch {
    throw new DamagedBackup(`${name} is damaged`);
  }
};

const parseHead = (member: Member): Head => {
  const head = parseJson<Head>(member);
  if (member.name !== HEAD || typeof head.format !== 'number')
    throw new DamagedBackup('this is no backup of Tradepost');
  if (head.format > FORMAT) throw new DamagedBackup(`its format ${head.format} is newer than this version knows`);
  return head;
};

const parseManifest = (member: Member): Manifest => {
  const manifest = parseJson<Manifest>(member);
  if (manifest.sha256 !== member.digestBefore)
    throw new DamagedBackup('the checksum does not match: bytes were changed');
  return manifest;
};

const decompress = promisify(gunzip);

async function parseContent({ name, body }: Member): Promise<BackupPart> {
  const table = /^data\/([a-z_]+)\/\d{6}\.copy\.gz$/.exec(name)?.[1];
  if (table) {
    const bytes = await decompress(body).catch(() => {
      throw new DamagedBackup(`${name} is damaged`);
    });
    return { kind: 'rows', table, bytes };
  }
  const key = name.startsWith('images/') ? parseFileName(name.slice('images/'.length)) : undefined;
  if (!key) throw new DamagedBackup(`${name} does not belong into a backup`);
  return { kind: 'image', key, bytes: body };
}

/** Reads a backup part by part. Throws DamagedBackup at the first difference from the checksums. */
export async function* readBackup(path: string): AsyncIterable<BackupPart> {
  let manifest: Member | undefined;
  let isFirst = true;
  let isSealed = false;
  for await (const member of readMembers(path)) {
    if (isSealed) throw new DamagedBackup('there is something behind its end');
    if (isFirst) yield { kind: 'head', head: parseHead(member) };
    else if (manifest) {
      if (member.name !== SEAL || member.body.toString('latin1') !== `${sha256(manifest.body)}\n`)
        throw new DamagedBackup('its manifest is damaged');
      isSealed = true;
    } else if (member.name === MANIFEST) {
      manifest = member;
      yield { kind: 'manifest', manifest: parseManifest(member) };
    } else yield await parseContent(member);
    isFirst = false;
  }
  if (!isSealed) throw new DamagedBackup('the file is cut off');
}

export async function readHead(path: string): Promise<Head> {
  for await (const member of readMembers(path)) return parseHead(member);
  throw new DamagedBackup('the file is empty');
}

export async function verifyBackup(path: string, signal?: AbortSignal): Promise<Manifest> {
  const hashes = new Map<string, Hash>();
  let manifest: Manifest | undefined;
  let images = 0;
  for await (const part of readBackup(path)) {
    signal?.throwIfAborted();
    if (part.kind === 'manifest') manifest = part.manifest;
    if (part.kind === 'rows')
      hashes.set(part.table, (hashes.get(part.table) ?? createHash('sha256')).update(part.bytes));
    if (part.kind === 'image') {
      images++;
      if (part.key.variant === 'full' && sha256(part.bytes) !== part.key.sha256)
        throw new DamagedBackup(`image ${part.key.sha256} was damaged before it was backed up`);
    }
  }
  for (const [table, sum] of Object.entries(manifest!.tables)) {
    const hash = hashes.get(table) ?? createHash('sha256');
    if (hash.digest('hex') !== sum.sha256) throw new DamagedBackup(`the rows of ${table} are damaged`);
  }
  if (images !== manifest!.images.objects) throw new DamagedBackup('images are missing');
  return manifest!;
}
