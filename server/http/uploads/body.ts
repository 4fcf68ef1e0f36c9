import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
const MAX_MEMORY_BYTES = 64 * 1024;
const WRITE_BYTES = 256 * 1024;

const MEGABYTE = 1024 * 1024;

/**
 * Limits how many bytes of large bodies this process holds. Bytes count on arrival: a declared length costs nothing.
 */
export interface UploadQuota {
  /** `owners`: the user and the address, each of which may hold half of the bytes. */
  start(owners: readonly string[]): Reservation;
}

export interface Reservation {
  add(bytes: number): void;
  release(): void;
}

export function createUploadQuota(totalBytes = 160 * MEGABYTE): UploadQuota {
  const TOTAL = '';
  const held = new Map<string, number>();
  const change = (key: string, bytes: number) => {
    const sum = (held.get(key) ?? 0) + bytes;
    if (sum > 0) held.set(key, sum);
    else held.delete(key);
  };
  const fits = (key: string, bytes: number): boolean =>
    (held.get(key) ?? 0) + bytes <= (key === TOTAL ? totalBytes : totalBytes / 2);
  return {
    start(owners) {
      const keys = [...new Set([TOTAL, ...owners])];
      let mine = 0;
      return {
        add(bytes) {
          if (!keys.every((key) => fits(key, bytes))) throw new AppError('overloaded');
          for (const key of keys) change(key, bytes);
          mine += bytes;
        },
        release() {
          for (const key of keys) change(key, -mine);
          mine = 0;
        },
      };
    },
  };
}

export interface Body {
  source: Buffer | string;
  size: number;
  sha256: Buffer;
  release(): Promise<void>;
}

export interface UploadTarget {
  limit: number;
  isForm: boolean;
  /** The media types of a file. Without them the body is a form or JSON. */
  fileTypes: readonly string[] | undefined;
  quota: UploadQuota;
  owners: readonly string[];
  directory: string;
}

export const uploadDirectory = ({ config }: AppContext): string => join(config.cacheDir, 'uploads');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const refuseType = (message?: string) => new AppError('unsupported_media_type', { message });

function checkType(type: string, { isForm, fileTypes }: UploadTarget): void {
  if (fileTypes) {
    if (!fileTypes.includes(type.toLowerCase())) throw refuseType(`Send a file: ${fileTypes.join(', ')}`);
  } else if (isForm) {
    if (!FORM_TYPE.test(type)) throw refuseType('Send a form');
  } else if (!JSON_TYPE.test(type)) throw refuseType();
}

/** Refuses compressed and too large bodies, and other types, by their headers, before any byte is read. */
function checkBodyHeaders({ headers }: IncomingMessage, target: UploadTarget): void {
  const { limit } = target;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuseType('Send the body without a Content-Encoding');
  checkType(headers['content-type'] ?? '', target);
  if (Number(headers['content-length'] ?? 0) > limit) throw new AppError('payload_too_large');
}

/** Reads a body of at most `limit` bytes; empty without a body. The caller must call `release`. */
export async function readBody(req: IncomingMessage, target: UploadTarget): Promise<Body> {
  if (!hasBody(req)) return readToMemory(req, 0);
  checkBodyHeaders(req, target);
  if (target.fileTypes) return readToMemory(req, target.limit, target.quota.start(target.owners));
  const expected = Number(req.headers['content-length'] ?? target.limit);
  return expected > MAX_MEMORY_BYTES ? readToFile(req, target) : readToMemory(req, expected);
}

async function readToMemory(req: IncomingMessage, expected: number, reservation?: Reservation): Promise<Body> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  const keep: Sink = (chunk) => {
    reservation?.add(chunk.length);
    hash.update(chunk);
    chunks.push(chunk);
  };
  const release = async () => reservation?.release();
  try {
    const size = expected > 0 ? await receiveBody(req, expected, keep) : 0;
    return { source: Buffer.concat(chunks, size), size, sha256: hash.digest(), release };
  } catch (error) {
    await release();
    throw error;
  }
}

async function readToFile(req: IncomingMessage, { limit, quota, owners, directory }: UploadTarget): Promise<Body> {
  const reservation = quota.start(owners);
  const path = join(directory, `${randomUUID()}.json`);
  const release = async () => {
    reservation.release();
    await rm(path, { force: true });
  };
  try {
    const hash = createHash('sha256');
    await mkdir(directory, { recursive: true });
    const file = await open(path, 'wx', 0o600);
    try {
      const { add, flush } = createFileSink(file);
      const size = await receiveBody(req, limit, (chunk) => {
        reservation.add(chunk.length);
        hash.update(chunk);
        return add(chunk);
      });
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

function createFileSink(file: FileHandle): { add: Sink; flush: () => Promise<void> } {
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
      if (held >= WRITE_BYTES) return flush();
    },
  };
}

/** Deletes bodies that a killed process left: no request takes an hour. */
export async function sweepBodies(appContext: AppContext): Promise<void> {
  const directory = uploadDirectory(appContext);
  for (const name of await readdir(directory).catch(() => [])) {
    const path = join(directory, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - 3_600_000) await rm(path, { force: true });
  }
}

const SECONDS_SMALL = 15;
const SECONDS_LARGE = 120;
const MIN_BYTES_PER_SECOND = 4096;
const SPEED_CHECK_MS = 10_000;

type Sink = (chunk: Buffer) => Promise<void> | void;

/**
 * Feeds a request's body to a sink and returns its size. Throws payload_too_large beyond the limit, errors of the
 * sink, and client_closed_request when the client disconnects or is too slow.
 */
export function receiveBody(
  req: IncomingMessage,
  limit: number,
  sink: Sink,
  speedCheckMs = SPEED_CHECK_MS,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let sizeAtLastCheck = 0;
    let isPaused = false;
    let writing = Promise.resolve();
    const seconds = limit > MEGABYTE ? SECONDS_LARGE : SECONDS_SMALL;
    const timer = setTimeout(() => stop(new AppError('client_closed_request')), seconds * 1000);
    const speedTimer = setInterval(() => {
      const received = size - sizeAtLastCheck;
      sizeAtLastCheck = size;
      if (!isPaused && received < (MIN_BYTES_PER_SECOND * speedCheckMs) / 1000)
        stop(new AppError('client_closed_request'));
    }, speedCheckMs);
    const stopTimers = () => {
      clearTimeout(timer);
      clearInterval(speedTimer);
    };
    const stop = (error: unknown) => {
      stopTimers();
      req.off('data', onData);
      req.pause();
      // the caller closes the file, so wait for the running write
      void writing.finally(() => reject(error));
    };
    const setPaused = (paused: boolean) => {
      isPaused = paused;
      if (paused) req.pause();
      else req.resume();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) throw new AppError('payload_too_large');
      return sink(chunk);
    };
    const onData = (chunk: Buffer) => {
      try {
        const done = take(chunk);
        if (!done) return;
        setPaused(true);
        writing = done.then(() => setPaused(false), stop);
      } catch (error) {
        stop(error);
      }
    };
    req.on('data', onData);
    req.once('end', () => {
      stopTimers();
      void writing.then(() => resolve(size));
    });
    req.once('error', (cause) => stop(new AppError('client_closed_request', { cause })));
    req.once('close', () => req.complete || stop(new AppError('client_closed_request')));
  });
}
