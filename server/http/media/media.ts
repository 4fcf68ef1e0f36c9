import type { Context, Middleware, Next } from 'koa';
import { IMAGE_VARIANTS, VARIANTS, type Variant } from '../../../contract/image-variants.ts';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { AppError, notFound } from '../../errors.ts';
import { getImageCache } from '../../features/images/image-cache.ts';
import { isInCurrentFormat } from '../../integrations/images/formats.ts';
import type { ImageCache } from '../../integrations/storage/image-cache.ts';
import type { ImageKey } from '../../integrations/storage/storage.ts';
import { ANONYMOUS } from '../../policy.ts';
import type { LoadShedder } from '../middleware/load-shedding.ts';
import type { RateLimits } from '../middleware/rate-limit.ts';
import { type CachedResponse, sendCachedResponse } from '../response/cached-response.ts';

const PATH = new RegExp(`^/media/([0-9a-f]{64})/(${VARIANTS.join('|')})\\.jpg$`);

const RECHECK_MS = 5000;

interface MediaTools {
  appContext: AppContext;
  limits: RateLimits;
  shedder: LoadShedder;
}

/**
 * Serves images at /media/{sha256}/{variant}.jpg to every client that knows the URL
 * (docs/adr/0001-pictures-are-addresses.md). The name is the content's hash, so a response never changes and may be
 * cached forever: another format of the same picture has another ETag. Only images that are not cached pass a rate limit and load shedding.
 */
export function serveMedia({ appContext, limits, shedder }: MediaTools): Middleware {
  const { events } = appContext;
  const imageCache = getImageCache(appContext);
  events.subscribe('images', (deleted) => (deleted ? imageCache.purge(deleted.sha256) : void recheck(appContext)));

  async function loadInTurn(ctx: Context, key: ImageKey): Promise<CachedResponse | undefined> {
    await limits.consume('image', limitKey(ANONYMOUS, ctx.state.ip));
    return shedder.inTurn(async () => {
      if (ctx.res.destroyed) throw new AppError('client_closed_request');
      return load(imageCache, key);
    });
  }

  return async (ctx: Context, next: Next) => {
    if (!ctx.path.startsWith('/media/')) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new AppError('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
    const key = parseImagePath(ctx.path);
    const image = key && (await (findCachedImage(imageCache, key) ?? loadInTurn(ctx, key)));
    if (!image) throw notFound();
    return sendCachedResponse(ctx, image);
  };
}

/**
 * Drops cached images whose deletion events were missed. Retries while events arrive; a restored connection starts it
 * again.
 */
const recheck = (appContext: AppContext): Promise<void> =>
  getImageCache(appContext)
    .recheck()
    .catch((err: unknown) => {
      appContext.log.warn({ err }, 'cached images could not be checked yet');
      if (appContext.events.isUp()) setTimeout(() => void recheck(appContext), RECHECK_MS).unref();
    });

async function load(media: ImageCache, key: ImageKey): Promise<CachedResponse | undefined> {
  try {
    const bytes = await media.get(key);
    return bytes && toImageResponse(key, bytes);
  } catch (error) {
    const { fallback } = IMAGE_VARIANTS[key.variant];
    if (!fallback || !(error instanceof AppError) || error.status < 500) throw error;
    const full: ImageKey = { ...key, variant: fallback };
    const bytes = await media.get(full);
    const response = bytes && toImageResponse(full, bytes);
    return response && { ...response, headers: { ...response.headers, ...PASSING } };
  }
}

/** An image from memory or disk; undefined if it has to be loaded. */
export function findCachedImage(
  media: ImageCache,
  key: ImageKey,
): CachedResponse | Promise<CachedResponse | undefined> | undefined {
  const bytes = media.peek(key);
  if (bytes) return toImageResponse(key, bytes);
  return media.isOnDisk(key) ? media.get(key).then((read) => read && toImageResponse(key, read)) : undefined;
}

export const parseImagePath = (path: string): ImageKey | undefined => {
  const [, sha256, variant] = PATH.exec(path) ?? [];
  return sha256 && variant ? { sha256, variant: variant as Variant } : undefined;
};

const EXTENSIONS = { jpeg: 'jpg', webp: 'webp' };
/** A substitute that is sent while the image itself cannot be made. */
const PASSING = { 'Cache-Control': 'no-store' };

const toHeaders = (variant: Variant, format: keyof typeof EXTENSIONS): Record<string, string> => ({
  'Content-Type': `image/${format}`,
  'Cache-Control': 'public, max-age=31536000, immutable',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Content-Disposition': `inline; filename="${variant}.${EXTENSIONS[format]}"`,
  'Cross-Origin-Resource-Policy': 'cross-origin',
});

const toResponses = (variant: Variant) => {
  const { format } = IMAGE_VARIANTS[variant];
  return {
    current: { tag: format === 'jpeg' ? variant : `${variant}-${format}`, headers: toHeaders(variant, format) },
    // the older format of every variant is JPEG
    older: { tag: variant, headers: { ...toHeaders(variant, 'jpeg'), ...PASSING } },
  };
};
const RESPONSES = new Map(VARIANTS.map((variant) => [variant, toResponses(variant)]));

function toImageResponse({ sha256, variant }: ImageKey, body: Buffer): CachedResponse {
  const { tag, headers } = RESPONSES.get(variant)![isInCurrentFormat(variant, body) ? 'current' : 'older'];
  return { status: 200, headers, body, etag: `"${sha256}-${tag}"`, encoded: {}, prepared: {}, isCompressible: false };
}
