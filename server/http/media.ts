import type { Context, Middleware, Next } from 'koa';
import { type ImageKey, parseFileName } from '../adapters/image-store/image-store.ts';
import type { App } from '../app.ts';
import { AppError, notFound } from '../errors.ts';
import { IMAGE_DELETED } from '../features/images/store.ts';
import { isKnown } from './prepared-answer.ts';

/**
 * Pictures at /media/{sha256}/{full|thumb|card}.jpg. Whoever knows the address may look (docs/adr/0001-pictures-are-addresses.md): the
 * name is the content's hash, so the answer never changes and may be kept for ever.
 */
export function serveMedia({ media, listener }: App): Middleware {
  listener.on(IMAGE_DELETED, (sha256) => sha256 !== '' && media.purge(sha256));
  return (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith('/media/')) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw new AppError('method_not_allowed');
    const key = parseMediaPath(ctx.path);
    if (!key) throw notFound();
    // A turn of the event loop less for what is in memory.
    const bytes = media.peek(key);
    return bytes ? send(ctx, key, bytes) : media.get(key).then((loaded) => send(ctx, key, loaded));
  };
}

function send(ctx: Context, key: ImageKey, bytes: Buffer | undefined) {
  if (!bytes) throw notFound();
  const etag = `"${key.sha256}-${key.variant}"`;
  ctx.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    ETag: etag,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Content-Disposition': `inline; filename="${key.variant}.jpg"`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  if (isKnown(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'image/jpeg';
  ctx.body = bytes;
}

const parseMediaPath = (path: string): ImageKey | undefined => {
  const [, sha256, name] = /^\/media\/([0-9a-f]{64})\/([a-z]+\.jpg)$/.exec(path) ?? [];
  return parseFileName(`${sha256}.${name}`);
};
