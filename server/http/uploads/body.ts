import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const IN_MEMORY = 64 * 1024;
const PIECE = 256 * 1024;

/** Bytes of large bodies that may be under way at once; a request that does not fit is told to come back. */
export interface UploadQuota {
  /** `owner`: whose body it is. Half of the room is the most that one person gets, however slowly they send. */
  take(bytes: number, owner: string): () => void;
}

export function createUploadQuota(total = 160 * 1024 * 1024): UploadQuota {
  let used = 0;
  const held = new Map<string, number>();
  const add = (bytes: number, owner: string) => {
    const sum = (held.get(owner) ?? 0) + bytes;
    if (sum > 0) held.set(owner, sum);
    else held.delete(owner);
    used += bytes;
  };
  return {
    take(bytes, owner) {
      const mine = (held.get(owner) ?? 0) + bytes;
      if (used + bytes > total || mine > total / 2) throw new AppError('overloaded');
      add(bytes, owner);
      let isTaken = true;
      return () => {
        if (isTaken) add(-bytes, owner);
        isTaken = false;
      };
    },
  };
}

/** A whole body: small ones in memory, large ones in a file, named by its path, so that uploads do not fill this process. */
export interface Body {
  source: Buffer | string;
  size: number;
  sha256: Buffer;
  /** Deletes the file and gives the budget back. */
  release(): Promise<void>;
}

export interface UploadTarget {
  limit: number;
  budget: UploadQuota;
  /** Whose body it is. */
  owner: string;
  /** Where large bodies wait to be parsed. */
  directory: string;
}

export const uploadDirectory = ({ config }: AppContext): string => join(config.cacheDir, 'uploads');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Refuses by the headers alone, before a byte is read: compressed, not JSON, too large. */
function checkBodyHeaders({ headers }: IncomingMessage, limit: number): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', { message: 'Send the body without a Content-Encoding' });
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) throw new AppError('unsupported_media_type');
  if (Number(headers['content-length'] ?? 0) > limit) throw new AppError('payload_too_large');
}

/** Reads a JSON body of at most `limit` bytes; empty when there is none. Call `release` once it is done with. */
export async function readBody(req: IncomingMessage, place: UploadTarget): Promise<Body> {
  if (hasBody(req)) checkBodyHeaders(req, place.limit);
  const expected = hasBody(req) ? Number(req.headers['content-length'] ?? place.limit) : 0;
  return expected > IN_MEMORY ? readToFile(req, expected, place) : readToMemory(req, expected);
}

async function readToMemory(req: IncomingMessage, expected: number): Promise<Body> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  const size =
    expected > 0
      ? await receiveBody(
          req,
          expected,
          hashing(hash, (chunk) => void chunks.push(chunk)),
        )
      : 0;
  return { source: Buffer.concat(chunks, size), size, sha256: hash.digest(), release: async () => {} };
}

async function readToFile(
  req: IncomingMessage,
  expected: number,
  { limit, budget, owner, directory }: UploadTarget,
): Promise<Body> {
  const giveBack = budget.take(expected, owner);
  const path = join(directory, `${randomUUID()}.json`);
  const release = async () => {
    giveBack();
    await rm(path, { force: true });
  };
  try {
    const hash = createHash('sha256');
    const file = await createFile(directory, path);
    try {
      const { add, flush } = openFileSink(file);
      const size = await receiveBody(req, limit, hashing(hash, add));
      await flush();
      return { source: path, size, sha256: hash.digest(), release };
    } finally {
      await file.close();
    }
  } catch (error) {
    await release();
    throw error;
  }
}

/** Writes in larger pieces: to stop and go on for every chunk of the network took as long as decoding one of the pictures. */
function openFileSink(file: FileHandle): { add: Sink; flush: () => Promise<void> } {
  let chunks: Buffer[] = [];
  let held = 0;
  const flush = () => {
    const piece = Buffer.concat(chunks, held);
    chunks = [];
    held = 0;
    return file.writeFile(piece);
  };
  return {
    flush,
    add: (chunk) => {
      chunks.push(chunk);
      held += chunk.length;
      if (held >= PIECE) return flush();
    },
  };
}

/** Deletes bodies that a killed process left behind: no request takes an hour. */
export async function sweepBodies(appContext: AppContext): Promise<void> {
  const directory = uploadDirectory(appContext);
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - 3_600_000) await rm(path, { force: true });
  }
}

async function createFile(directory: string, path: string): Promise<FileHandle> {
  await mkdir(directory, { recursive: true });
  return open(path, 'wx', 0o600);
}

const hashing =
  (hash: Hash, sink: Sink): Sink =>
  (chunk) => {
    hash.update(chunk);
    return sink(chunk);
  };

const LARGE = 1024 * 1024;
const SECONDS_SMALL = 15;
const SECONDS_LARGE = 120;

/** Takes a chunk; the next one comes once the promise has resolved. */
export type Sink = (chunk: Buffer) => Promise<void> | void;

/**
 * Feeds a request's body to a sink and returns its size. Throws payload_too_large as soon as it is, and
 * client_closed_request when the client goes away or takes longer than two minutes (15 s for a small body).
 */
export function receiveBody(req: IncomingMessage, limit: number, sink: Sink): Promise<number> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let writing = Promise.resolve();
    const timer = setTimeout(() => stop(new AppError('client_closed_request')), secondsFor(limit) * 1000);
    const stop = (error: unknown) => {
      clearTimeout(timer);
      req.off('data', onData);
      req.pause();
      // the file is closed by whoever waits here: not while a chunk is being written
      void writing.finally(() => reject(error));
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return stop(new AppError('payload_too_large'));
      const done = sink(chunk);
      if (!done) return;
      req.pause();
      writing = done.then(() => void req.resume(), stop);
    };
    req.on('data', onData);
    req.once('end', () => {
      clearTimeout(timer);
      void writing.then(() => resolve(size));
    });
    req.once('error', (cause) => stop(new AppError('client_closed_request', { cause })));
    req.once('close', () => req.complete || stop(new AppError('client_closed_request')));
  });
}

const secondsFor = (limit: number) => (limit > LARGE ? SECONDS_LARGE : SECONDS_SMALL);
