import { createHash } from 'node:crypto';

/** POSIX ustar, as much of it as a backup needs: plain files with short names. Any tar can list and unpack it. */
const BLOCK = 512;
/** A member is held in memory; ours are a few megabytes at most. */
const LARGEST = 64 * 1024 * 1024;

/** The file is not what a backup looks like, or was changed. */
export class DamagedBackup extends Error {}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

const checksumOf = (header: Buffer): number => {
  let sum = 0;
  // the checksum's own eight bytes count as blanks
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : header[i]!;
  return sum;
};

const toHeader = (name: string, size: number): Buffer => {
  if (Buffer.byteLength(name) > 99) throw new Error(`too long a name: ${name}`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  header.write(octal(0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(0, 12), 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.write(octal(checksumOf(header), 7), 148);
  header.write(' ', 155);
  return header;
};

const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

export interface TarWriter {
  add(name: string, body: Buffer): Promise<void>;
  /** SHA-256 of all bytes written so far, in hex. */
  digest(): string;
  end(): Promise<void>;
}

/** Writes members one after the other. */
export function createTarWriter(write: (bytes: Uint8Array) => Promise<void>): TarWriter {
  const hash = createHash('sha256');
  const put = async (bytes: Buffer) => {
    hash.update(bytes);
    await write(bytes);
  };
  return {
    async add(name, body) {
      await put(Buffer.concat([toHeader(name, body.length), body, Buffer.alloc(paddingOf(body.length))]));
    },
    digest: () => hash.copy().digest('hex'),
    end: () => put(Buffer.alloc(2 * BLOCK)),
  };
}

export interface TarMember {
  name: string;
  body: Buffer;
  /** SHA-256 of all bytes before this member, in hex. */
  digestBefore: string;
}

const parseHeader = (header: Buffer): { name: string; size: number } => {
  const text = (from: number, length: number) =>
    header.toString('latin1', from, from + length).replace(/[\0 ].*$/s, '');
  if (Number.parseInt(text(148, 8), 8) !== checksumOf(header)) throw new DamagedBackup('a header is damaged');
  const size = Number.parseInt(text(124, 12), 8);
  if (!(size <= LARGEST)) throw new DamagedBackup('a size is damaged');
  return { name: text(0, 100), size };
};

const openTaker = (source: AsyncIterable<Buffer>) => {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** So many bytes, or fewer at the end. */
  return async (length: number): Promise<Buffer> => {
    const parts = [rest];
    let have = rest.length;
    while (have < length) {
      const { value, done } = await chunks.next();
      if (done) break;
      parts.push(value);
      have += value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts);
    rest = all.subarray(length);
    return all.subarray(0, length);
  };
};

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

/** Reads members one after the other; throws DamagedBackup where the file is cut off, longer than its end or damaged. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncIterable<TarMember> {
  const take = openTaker(source);
  const hash = createHash('sha256');
  for (;;) {
    const header = await take(BLOCK);
    if (header.length < BLOCK) throw new DamagedBackup('the file is cut off');
    if (isZero(header)) break;
    const { name, size } = parseHeader(header);
    const body = await take(size + paddingOf(size));
    if (body.length < size + paddingOf(size)) throw new DamagedBackup('the file is cut off');
    if (!isZero(body.subarray(size))) throw new DamagedBackup(`bytes behind ${name} are damaged`);
    yield { name, body: body.subarray(0, size), digestBefore: hash.copy().digest('hex') };
    hash.update(header).update(body);
  }
  const end = await take(2 * BLOCK);
  if (end.length !== BLOCK || !isZero(end)) throw new DamagedBackup('the end of the file is damaged');
}
