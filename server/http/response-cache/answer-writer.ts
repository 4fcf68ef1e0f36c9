import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Config } from '../../config/load.ts';
import { securityHeaders } from '../middleware/security-headers.ts';
import { memoize } from './remember.ts';

/** An answer to the last byte: only the request's id and what every answer carries is missing. */
export interface EncodedResponse {
  status: number;
  /** Name, value, name, value. Answers of one kind share one array, which is put together once with what all answers carry. */
  headers: readonly string[];
  /** Those of this answer alone. */
  own?: readonly string[];
  body: Buffer | string | Readable | undefined;
}

const SMALL = 2048;

/**
 * A text as node:http sends it soonest: a small one as a string, which it writes in one piece with the headers (a quarter
 * less than two pieces), a larger one as bytes.
 */
export function packText(text: Buffer | string): Buffer | string {
  if (Buffer.byteLength(text) <= SMALL) return String(text);
  return typeof text === 'string' ? Buffer.from(text) : text;
}

/** Headers as node:http takes them in one go. */
export const flatten = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat();

/** Leaves a finished answer to Koa, whose middlewares may still add to it. */
export function writeResponse(ctx: Context, { status, headers, own = [], body }: EncodedResponse): void {
  ctx.status = status;
  // ctx.set would look at each value for what may stand in a header
  const all = [...headers, ...own];
  for (let i = 0; i < all.length; i += 2) ctx.res.setHeader(all[i]!, all[i + 1]!);
  if (body) ctx.body = body;
  // Koa leaves a response that has begun open when its stream fails
  if (body instanceof Readable) body.once('error', () => ctx.res.destroy());
}

export type ResponseWriter = (res: ServerResponse, finished: EncodedResponse, requestId: string) => void;

/** Writes finished answers past Koa, with the headers that it sets on all: put together once for each. */
export function createResponseWriter(config: Pick<Config, 'isHttps'>): ResponseWriter {
  const always = Object.entries(securityHeaders(config));
  const putTogether = memoize((headers: readonly string[]): string[] => {
    const known = new Set(headers.filter((_, i) => i % 2 === 0));
    return [...always.filter(([name]) => !known.has(name)).flat(), ...headers];
  });
  const toHead = memoize(({ headers, own = [] }: EncodedResponse) => [
    ...putTogether(headers),
    ...own,
    'X-Request-Id',
    '',
  ]);
  return function writeAnswer(res, finished, requestId) {
    const head = toHead(finished);
    // the last place is the request's own: writeHead has read it when it returns
    head[head.length - 1] = requestId;
    res.writeHead(finished.status, head);
    res.end(finished.body as Buffer | string | undefined);
  };
}
