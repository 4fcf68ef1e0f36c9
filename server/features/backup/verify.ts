import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type ImageKey, parseFileName } from '../../integrations/storage/storage.ts';
import {
  FORMAT,
  HEAD,
  type Head,
  MANIFEST,
  type Manifest,
  parseMember,
  SEAL,
  toSeal,
  toTableName,
} from './manifest.ts';
import { DamagedBackup, readTar, type TarMember } from './tar.ts';

const decompress = promisify(gunzip);

/** What a backup holds, in its order. */
export type BackupPart =
  | { kind: 'head'; head: Head }
  | { kind: 'rows'; table: string; bytes: Buffer }
  | { kind: 'image'; key: ImageKey; bytes: Buffer }
  | { kind: 'manifest'; manifest: Manifest };

const openFile = (path: string): AsyncIterable<Buffer> => createReadStream(path, { highWaterMark: 1024 * 1024 });

const unpackRows = async ({ name, body }: TarMember): Promise<Buffer> => {
  try {
    return await decompress(body);
  } catch {
    throw new DamagedBackup(`${name} is damaged`);
  }
};

const parseHead = (member: TarMember): Head => {
  const head = parseMember<Head>(member);
  if (member.name !== HEAD || typeof head.format !== 'number')
    throw new DamagedBackup('this is no backup of Tradepost');
  if (head.format > FORMAT) throw new DamagedBackup(`its format ${head.format} is newer than this version knows`);
  return head;
};

const imageKeyOf = (name: string): ImageKey | undefined =>
  name.startsWith('images/') ? parseFileName(name.slice('images/'.length)) : undefined;

async function toPart(member: TarMember): Promise<BackupPart> {
  const table = toTableName(member.name);
  if (table) return { kind: 'rows', table, bytes: await unpackRows(member) };
  const key = imageKeyOf(member.name);
  if (key) return { kind: 'image', key, bytes: member.body };
  throw new DamagedBackup(`${member.name} does not belong into a backup`);
}

const checkManifest = (member: TarMember): Manifest => {
  const manifest = parseMember<Manifest>(member);
  if (manifest.sha256 !== member.digestBefore)
    throw new DamagedBackup('the checksum does not match: bytes were changed');
  return manifest;
};

/** Reads a backup part by part; throws DamagedBackup as soon as something is not as it was written. */
export async function* readBackup(path: string): AsyncIterable<BackupPart> {
  let sealed: TarMember | undefined;
  let isFirst = true;
  let isEnd = false;
  for await (const member of readTar(openFile(path))) {
    if (isEnd) throw new DamagedBackup('there is something behind its end');
    if (isFirst) yield { kind: 'head', head: parseHead(member) };
    else if (sealed) {
      if (member.name !== SEAL || member.body.toString('latin1') !== `${toSeal(sealed.body)}\n`)
        throw new DamagedBackup('its manifest is damaged');
      isEnd = true;
    } else if (member.name === MANIFEST) {
      yield { kind: 'manifest', manifest: checkManifest(member) };
      sealed = member;
    } else yield await toPart(member);
    isFirst = false;
  }
  if (!isEnd) throw new DamagedBackup('the file is cut off');
}

/** Only what the first member says: for lists. */
export async function readHead(path: string): Promise<Head> {
  for await (const member of readTar(openFile(path))) return parseHead(member);
  throw new DamagedBackup('the file is empty');
}

const checkTables = (manifest: Manifest, hashes: Map<string, Hash>): void => {
  for (const [table, { sha256 }] of Object.entries(manifest.tables)) {
    const hash = hashes.get(table) ?? createHash('sha256');
    if (hash.digest('hex') !== sha256) throw new DamagedBackup(`the rows of ${table} are damaged`);
  }
};

/** Reads all of a backup and compares it with its sums. Returns the manifest of one that is whole. */
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
      const isFull = part.key.variant === 'full';
      if (isFull && createHash('sha256').update(part.bytes).digest('hex') !== part.key.sha256)
        throw new DamagedBackup(`picture ${part.key.sha256} was damaged before it was backed up`);
    }
  }
  checkTables(manifest!, hashes);
  if (images !== manifest!.images.objects) throw new DamagedBackup('pictures are missing');
  return manifest!;
}
