import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TextKey } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { ErrorValues } from '../../error-phrases.ts';
import { AppError } from '../../errors.ts';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const FORM_TYPE = /^(application\/x-www-form-urlencoded|multipart\/form-data)\s*(;|$)/i;
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

export function createUploadQuota(totalBytes = 64 * MEGABYTE): UploadQuota {
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
  bytes: Buffer;
  sha256: Buffer;
  release(): void;
}

export interface UploadTarget {
  limit: number;
  isForm: boolean;
  /** The media types of a file. Without them the body is a form or JSON. */
  fileTypes: readonly string[] | undefined;
  quota: UploadQuota;
  owners: readonly string[];
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const refuseType = (key?: TextKey, values?: ErrorValues) => new AppError('unsupported_media_type', { key, values });

function checkType(type: string, { isForm, fileTypes }: Pick<UploadTarget, 'isForm' | 'fileTypes'>): void {
  if (fileTypes) {
    if (!fileTypes.includes(type.toLowerCase())) throw refuseType('errors.sendFile', { types: fileTypes.join(', ') });
  } else if (isForm) {
    if (!FORM_TYPE.test(type)) throw refuseType('errors.sendForm');
  } else if (!JSON_TYPE.test(type)) throw refuseType();
}

/** Refuses compressed and too large bodies, and other types, by their headers, before any byte is read. */
function checkBodyHeaders(
  { headers }: IncomingMessage,
  target: Pick<UploadTarget, 'limit' | 'isForm' | 'fileTypes'>,
): void {
  const { limit } = target;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') throw refuseType('errors.contentEncoding');
  checkType(headers['content-type'] ?? '', target);
  if (Number(headers['content-length'] ?? 0) > limit) throw new AppError('payload_too_large');
}

/** Reads a body of at most `limit` bytes; empty without a body. The caller must call `release`. */
export async function readBody(req: IncomingMessage, target: UploadTarget): Promise<Body> {
  const { limit, quota, owners } = target;
  const isEmpty = !hasBody(req);
  if (!isEmpty) checkBodyHeaders(req, target);
  const reservation = limit > LIMITS.bodyJson ? quota.start(owners) : undefined;
  const chunks: Buffer[] = [];
  const hash = createHash('sha256');
  const release = () => reservation?.release();
  try {
    if (!isEmpty)
      await receiveBody(req, limit, (chunk) => {
        reservation?.add(chunk.length);
        hash.update(chunk);
        chunks.push(chunk);
      });
    return { bytes: Buffer.concat(chunks), sha256: hash.digest(), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** How long a body may pause. Node ends a request that takes longer in all than `requestTimeout`. */
const PAUSE_MS = 10_000;

/** The next chunk, or client_closed_request after a pause, a disconnection or a broken request. */
async function takeChunk(chunks: AsyncIterator<Buffer>, pauseMs: number): Promise<IteratorResult<Buffer>> {
  const { promise: pause, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError('client_closed_request')), pauseMs);
  try {
    return await Promise.race([chunks.next(), pause]);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError('client_closed_request', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** A reader that takes as long as it likes for each chunk: the client waits, and no more than one chunk is held. */
export async function* streamBody(
  req: IncomingMessage,
  target: Pick<UploadTarget, 'limit' | 'isForm' | 'fileTypes'>,
  pauseMs = PAUSE_MS,
): AsyncGenerator<Buffer> {
  if (!hasBody(req)) return;
  checkBodyHeaders(req, target);
  const chunks: AsyncIterator<Buffer> = req.iterator({ destroyOnReturn: false });
  let size = 0;
  const take = async (): Promise<Buffer | undefined> => {
    const { done, value } = await takeChunk(chunks, pauseMs);
    if (done) return undefined;
    size += value.length;
    if (size > target.limit) throw new AppError('payload_too_large');
    return value;
  };
  let isBroken = true;
  try {
    for (let chunk = await take(); chunk; chunk = await take()) {
      isBroken = false;
      yield chunk;
      isBroken = true;
    }
  } finally {
    // a browser that still sends does not read why the file was refused
    if (!isBroken) while (await take());
  }
}

const SECONDS_SMALL = 15;
const SECONDS_LARGE = 120;
const MIN_BYTES_PER_SECOND = 4096;
const SPEED_CHECK_MS = 10_000;

/**
 * Feeds a request's body to a sink. Throws payload_too_large beyond the limit, errors of the sink, and
 * client_closed_request when the client disconnects or is too slow.
 */
export function receiveBody(
  req: IncomingMessage,
  limit: number,
  sink: (chunk: Buffer) => void,
  speedCheckMs = SPEED_CHECK_MS,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    let sizeAtLastCheck = 0;
    const seconds = limit > MEGABYTE ? SECONDS_LARGE : SECONDS_SMALL;
    const timer = setTimeout(() => stop(new AppError('client_closed_request')), seconds * 1000);
    const speedTimer = setInterval(() => {
      const received = size - sizeAtLastCheck;
      sizeAtLastCheck = size;
      if (received < (MIN_BYTES_PER_SECOND * speedCheckMs) / 1000) stop(new AppError('client_closed_request'));
    }, speedCheckMs);
    const stopTimers = () => {
      clearTimeout(timer);
      clearInterval(speedTimer);
    };
    const stop = (error: unknown) => {
      stopTimers();
      req.off('data', onData);
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        size += chunk.length;
        if (size > limit) throw new AppError('payload_too_large');
        sink(chunk);
      } catch (error) {
        stop(error);
      }
    };
    req.on('data', onData);
    req.once('end', () => {
      stopTimers();
      resolve();
    });
    req.once('error', (cause) => stop(new AppError('client_closed_request', { cause })));
    req.once('close', () => req.complete || stop(new AppError('client_closed_request')));
  });
}
