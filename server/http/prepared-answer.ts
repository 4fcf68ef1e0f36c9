import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import type { Viewer } from './route.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const WORTH_COMPRESSING = 1000;
// On the way of an answer: quality 5 takes twice as long for 3 % fewer bytes.
const BROTLI_QUALITY = 4;

export type Encoding = 'br' | 'gzip';

/** An answer that is the same for everybody, ready to be sent in any encoding. */
export interface PreparedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  etag: string;
  /** Compressed twins: those there are, or a promise of one that somebody has asked for. */
  encoded: Partial<Record<Encoding, Buffer | Promise<Buffer>>>;
  /** Twins may be made on demand. */
  isCompressible: boolean;
  /** When its data were read (performance.now), if before its making began. */
  asOf?: number | undefined;
  /** Route template, for logs and metrics. */
  route?: string;
  /** Only for who brings no session. */
  isForSignedOut?: boolean;
  /** Done each time that it is sent: counts a view. */
  onSend?: ((viewer: Viewer) => void) | undefined;
}

/** Weak: the compressed twins carry the same tag. */
export const tagOf = (body: Buffer): string => `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;

export function prepareAnswer(
  status: number,
  headers: Record<string, string>,
  content: string | Buffer,
): PreparedAnswer {
  const body = typeof content === 'string' ? Buffer.from(content) : content;
  return { status, headers, body, etag: tagOf(body), encoded: {}, isCompressible: body.length >= WORTH_COMPRESSING };
}

const compress = (encoding: Encoding, body: Buffer): Promise<Buffer> =>
  encoding === 'gzip'
    ? compressGzip(body, { level: 6 })
    : compressBrotli(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      });

const ACCEPTS: Record<Encoding, RegExp> = {
  br: /(^|[\s,])br(?!\s*;\s*q=0(\.0*)?\s*(,|$))(?=\s*[;,]|$)/,
  gzip: /(^|[\s,])gzip(?!\s*;\s*q=0(\.0*)?\s*(,|$))(?=\s*[;,]|$)/,
};

function chooseEncoding({ encoded, isCompressible }: PreparedAnswer, header: string): Encoding | undefined {
  if (header === '') return undefined;
  const isThere = (encoding: Encoding) => isCompressible || encoded[encoding] !== undefined;
  if (isThere('br') && ACCEPTS.br.test(header)) return 'br';
  return isThere('gzip') && ACCEPTS.gzip.test(header) ? 'gzip' : undefined;
}

/** RFC 9110, 13.1.2: a list of tags, weak or strong, or a star. */
export const isKnown = (header: string, etag: string): boolean =>
  header !== '' &&
  (header === etag || header.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag)));

const strong = (tag: string) => tag.trim().replace(/^W\//, '');

/** Sends an answer in the best encoding that the client takes, or 304. A promise only while a twin is being made. */
export function sendAnswer(ctx: Context, answer: PreparedAnswer): Promise<void> | void {
  ctx.status = answer.status;
  ctx.set(answer.headers);
  ctx.set('Vary', 'Accept-Encoding');
  ctx.set('ETag', answer.etag);
  if (isKnown(ctx.get('If-None-Match'), answer.etag)) {
    ctx.status = 304;
    return;
  }
  const encoding = chooseEncoding(answer, ctx.get('Accept-Encoding'));
  if (encoding === undefined) return sendBody(ctx, answer, answer.body);
  ctx.set('Content-Encoding', encoding);
  answer.encoded[encoding] ??= compress(encoding, answer.body).then((twin) => (answer.encoded[encoding] = twin));
  const twin = answer.encoded[encoding];
  return Buffer.isBuffer(twin) ? sendBody(ctx, answer, twin) : twin.then((made) => sendBody(ctx, answer, made));
}

function sendBody(ctx: Context, answer: PreparedAnswer, body: Buffer): void {
  ctx.body = body;
  // Koa's guess for a Buffer is application/octet-stream
  ctx.type = answer.headers['Content-Type'] ?? 'application/octet-stream';
}
