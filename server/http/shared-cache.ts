import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const WORTH_COMPRESSING = 1000;

/** An answer that is the same for everybody, ready to be sent in any encoding. */
export interface SharedAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  br: Buffer | undefined;
  gz: Buffer | undefined;
  etag: string;
}

export async function prepareAnswer(
  status: number,
  headers: Record<string, string>,
  text: string,
): Promise<SharedAnswer> {
  const body = Buffer.from(text);
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  if (body.length < WORTH_COMPRESSING) return { status, headers, body, br: undefined, gz: undefined, etag };
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } };
  const [br, gz] = await Promise.all([compressBrotli(body, brotli), compressGzip(body, { level: 6 })]);
  return { status, headers, body, br, gz, etag };
}

const accepts = (header: string, encoding: string) =>
  new RegExp(`(^|[\\s,])${encoding}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(header);

export function sendAnswer(ctx: Context, answer: SharedAnswer): void {
  ctx.set(answer.headers);
  ctx.set('Vary', 'Accept-Encoding');
  ctx.set('ETag', answer.etag);
  ctx.status = answer.status;
  if (
    ctx
      .get('If-None-Match')
      .split(/\s*,\s*/)
      .some((tag) => tag.replace(/^W\//, '') === answer.etag)
  ) {
    ctx.status = 304;
    return;
  }
  const header = ctx.get('Accept-Encoding');
  const [encoding, body] =
    answer.br && accepts(header, 'br')
      ? ['br', answer.br]
      : answer.gz && accepts(header, 'gzip')
        ? ['gzip', answer.gz]
        : ['', answer.body];
  if (encoding) ctx.set('Content-Encoding', encoding);
  ctx.body = body;
  // Koa would guess application/octet-stream for a Buffer
  for (const [name, value] of Object.entries(answer.headers))
    if (name.toLowerCase() === 'content-type') ctx.set(name, value);
  ctx.length = body.length;
}

export interface SharedCache {
  /** The answer by this key: at most a second old, made once however many ask at the same time. */
  get(key: string, make: () => Promise<SharedAnswer>): Promise<SharedAnswer>;
  /** Something public changed here: what is being made now is not kept either. */
  clear(): void;
}

export function openSharedCache(milliseconds = 1000): SharedCache {
  const answers = new LRUCache<string, SharedAnswer>({
    max: 2000,
    maxSize: 64 * 1024 * 1024,
    sizeCalculation: ({ body, br, gz }) => body.length + (br?.length ?? 0) + (gz?.length ?? 0) + 500,
    ttl: milliseconds,
  });
  let making = new Map<string, Promise<SharedAnswer>>();
  return {
    async get(key, make) {
      const ready = answers.get(key) ?? making.get(key);
      if (ready) return ready;
      const current = making;
      const answer = make();
      current.set(key, answer);
      try {
        const made = await answer;
        if (current === making) answers.set(key, made);
        return made;
      } finally {
        current.delete(key);
      }
    },
    clear() {
      answers.clear();
      making = new Map();
    },
  };
}
