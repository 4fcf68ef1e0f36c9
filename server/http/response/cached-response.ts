import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import type { Viewer } from '../../endpoints/define.ts';

export type Encoding = 'br' | 'gzip';
type Variant = Encoding | 'identity' | 'not-modified';

export interface CachedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  etag: string;
  encoded: Partial<Record<Encoding, Buffer | Promise<Buffer>>>;
  isCompressible: boolean;
  prepared: Partial<Record<Variant, EncodedResponse>>;
  route?: string;
  isForSignedOut?: boolean;
  /** Not for signed-in users who blocked anyone. */
  hidesBlocked?: boolean | undefined;
  onSend?: ((viewer: Viewer) => void) | undefined;
}

export interface EncodedResponse {
  status: number;
  headers: string[];
  body: Buffer | string | undefined;
  rawHeaders?: string[];
}

const MIN_COMPRESSED_BYTES = 1000;
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;
/** node:http writes a string together with the headers, a Buffer separately. */
const MAX_STRING_BYTES = 2048;
const TEXT = /^(text\/|application\/json)/;

/** Weak, because the compressed variants share the tag. */
export const toEtag = (body: Buffer): string => `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

export function toCachedResponse(
  status: number,
  headers: Record<string, string>,
  content: string | Buffer,
): CachedResponse {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  return {
    status,
    headers: { Vary: 'Accept-Encoding', ...headers },
    body,
    etag: toEtag(body),
    encoded: {},
    prepared: {},
    isCompressible: body.length >= MIN_COMPRESSED_BYTES,
  };
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** A permanent redirect, revalidated by browsers: the old address may get a page of its own later. */
export const toMoved = (location: string): CachedResponse =>
  toCachedResponse(301, { Location: location, 'Cache-Control': 'no-cache' }, '');

const compress = (encoding: Encoding, body: Buffer): Promise<Buffer> =>
  encoding === 'gzip'
    ? gzipAsync(body, { level: GZIP_LEVEL })
    : brotliAsync(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });

const ACCEPTS: Record<Encoding, RegExp> = {
  br: /(^|[\s,])br(?!\s*;\s*q=0(\.0*)?\s*(,|$))(?=\s*[;,]|$)/,
  gzip: /(^|[\s,])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))(?=\s*[;,]|$)/,
};

function chooseEncoding({ encoded, isCompressible }: CachedResponse, accepted: string): Encoding | undefined {
  if (accepted === '') return undefined;
  const isAvailable = (encoding: Encoding) => isCompressible || encoded[encoding] !== undefined;
  if (isAvailable('br') && ACCEPTS.br.test(accepted)) return 'br';
  return isAvailable('gzip') && ACCEPTS.gzip.test(accepted) ? 'gzip' : undefined;
}

const toStrongTag = (tag: string) => tag.trim().replace(/^W\//, '');

export const matchesEtag = (header: string, etag: string): boolean =>
  header !== '' &&
  (header === etag || header.split(',').some((tag) => tag.trim() === '*' || toStrongTag(tag) === toStrongTag(etag)));

function prepareNotModified({ headers, etag }: CachedResponse): EncodedResponse {
  const { 'Content-Type': _type, ...rest } = headers;
  return { status: 304, headers: [...Object.entries(rest).flat(), 'ETag', etag], body: undefined };
}

function prepareBody({ status, headers, etag }: CachedResponse, encoding: Encoding | undefined, body: Buffer) {
  const isShortText =
    !encoding && body.length <= MAX_STRING_BYTES && TEXT.test(headers['Content-Type'] ?? 'application/octet-stream');
  const all = [...Object.entries(headers).flat(), 'ETag', etag, 'Content-Length', String(body.length)];
  if (encoding) all.push('Content-Encoding', encoding);
  return { status, headers: all, body: isShortText ? String(body) : body };
}

/**
 * The variant for a request: 304, or the best encoding that the client accepts. Returns a promise only while it is
 * compressed.
 */
export function encodeResponse(
  response: CachedResponse,
  requestHeaders: IncomingHttpHeaders,
): EncodedResponse | Promise<EncodedResponse> {
  const { prepared, encoded, body, etag } = response;
  if (matchesEtag(requestHeaders['if-none-match'] ?? '', etag)) {
    prepared['not-modified'] ??= prepareNotModified(response);
    return prepared['not-modified'];
  }
  const encoding = chooseEncoding(response, String(requestHeaders['accept-encoding'] ?? ''));
  if (!encoding) {
    prepared.identity ??= prepareBody(response, undefined, body);
    return prepared.identity;
  }
  const known = prepared[encoding];
  if (known) return known;
  encoded[encoding] ??= compress(encoding, body);
  const bytes = encoded[encoding];
  const keep = (made: Buffer): EncodedResponse => {
    const variant = prepareBody(response, encoding, made);
    prepared[encoding] = variant;
    return variant;
  };
  return bytes instanceof Promise ? bytes.then(keep) : keep(bytes);
}

export async function sendCachedResponse(ctx: Context, response: CachedResponse): Promise<void> {
  const { status, headers, body } = await encodeResponse(response, ctx.headers);
  ctx.status = status;
  for (let i = 0; i < headers.length; i += 2) ctx.res.setHeader(headers[i]!, headers[i + 1]!);
  if (body !== undefined) ctx.body = body;
}
