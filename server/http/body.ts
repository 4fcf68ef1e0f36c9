import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const SECONDS_SMALL = 15;
const SECONDS_LARGE = 120;
const LARGE = 1024 * 1024;

/** Bytes of large bodies that may be in memory at once; a request that does not fit is told to come back. */
export interface BodyBudget {
  take(bytes: number): () => void;
}

export function openBodyBudget(total = 160 * 1024 * 1024): BodyBudget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > total) throw new AppError('overloaded');
      used += bytes;
      let isTaken = true;
      return () => {
        if (isTaken) used -= bytes;
        isTaken = false;
      };
    },
  };
}

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

function collect(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const seconds = limit > LARGE ? SECONDS_LARGE : SECONDS_SMALL;
    const timer = setTimeout(() => stop(new AppError('client_closed_request')), seconds * 1000);
    const stop = (error: AppError) => {
      clearTimeout(timer);
      req.off('data', onData);
      req.pause();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return stop(new AppError('payload_too_large'));
      chunks.push(chunk);
    };
    req.on('data', onData);
    req.once('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks, size));
    });
    req.once('error', (cause) => stop(new AppError('client_closed_request', { cause })));
    req.once('close', () => {
      if (!req.complete) stop(new AppError('client_closed_request'));
    });
  });
}

/** Reads a JSON body of at most `limit` bytes; empty when there is none. Give `release` back once its bytes are done with. */
export async function readBody(
  req: IncomingMessage,
  limit: number,
  budget: BodyBudget,
): Promise<{ bytes: Buffer; release: () => void }> {
  if (!hasBody(req)) return { bytes: Buffer.alloc(0), release: () => {} };
  checkBodyHeaders(req, limit);
  const expected = Number(req.headers['content-length'] ?? limit);
  const release = expected > LARGE ? budget.take(expected) : () => {};
  try {
    return { bytes: await collect(req, limit), release };
  } catch (error) {
    release();
    throw error;
  }
}
