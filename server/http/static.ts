import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { Middleware } from 'koa';
import { notFound } from '../errors.ts';
import { type PreparedAnswer, sendAnswer, tagOf } from './prepared-answer.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const COMPRESSED = /\.(br|gz)$/;
// rendered by page.ts, or none of the public's business
const HIDDEN = /^\/(index\.html|\.(vite|server)\/.*)$/;
const HASHED = /^\/assets\//;

const readIfThere = (path: string) => readFile(path).catch(() => undefined);

async function readAsset(directory: string, path: string): Promise<PreparedAnswer> {
  const file = join(directory, path);
  const [body, br, gz] = await Promise.all([readFile(file), readIfThere(`${file}.br`), readIfThere(`${file}.gz`)]);
  const headers = {
    Vary: 'Accept-Encoding',
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  };
  const encoded = { ...(br && { br }), ...(gz && { gzip: gz }) };
  return { status: 200, headers, body, etag: tagOf(body), encoded, finished: {}, isCompressible: false };
}

/** The built SPA, a few megabytes, held in memory with its compressed twins. Empty while it was not built. */
export async function readAssets(directory: string): Promise<Map<string, PreparedAnswer>> {
  const assets = new Map<string, PreparedAnswer>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name).slice(directory.length).split(sep).join('/');
    if (entry.isFile() && !COMPRESSED.test(path) && !HIDDEN.test(path))
      assets.set(path, await readAsset(directory, path));
  }
  return assets;
}

/** A missing asset is 404, never the page: a stale chunk's name must not answer HTML. */
export const serveStatic = (assets: Map<string, PreparedAnswer>): Middleware =>
  function serveAsset(ctx, next) {
    const asset = assets.get(ctx.path);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (asset && isRead) return sendAnswer(ctx, asset);
    if (HASHED.test(ctx.path)) throw notFound();
    return next();
  };
