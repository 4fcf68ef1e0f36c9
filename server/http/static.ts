import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { Middleware } from 'koa';
import { notFound } from '../errors.ts';
import { type CachedResponse, sendCachedResponse, toEtag } from './response/cached-response.ts';

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
const HIDDEN = /^\/(index\.html|\.(vite|server)\/.*)$/;
const HASHED = /^\/assets\//;

/**
 * The service worker. It calls the API and names the icon of notifications. Browsers check for a new
 * one themselves.
 */
const SERVICE_WORKER = '/service-worker.js';
const SERVICE_WORKER_HEADERS = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
};

function readAsset(file: string, path: string, twins: ReadonlySet<string>): CachedResponse {
  const readTwin = (twin: string) => (twins.has(twin) ? readFileSync(twin) : undefined);
  const [body, br, gz] = [readFileSync(file), readTwin(`${file}.br`), readTwin(`${file}.gz`)];
  const headers = {
    Vary: 'Accept-Encoding',
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Cache-Control': HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    ...(path === SERVICE_WORKER && SERVICE_WORKER_HEADERS),
  };
  const encoded = { ...(br && { br }), ...(gz && { gzip: gz }) };
  return { status: 200, headers, body, etag: toEtag(body), encoded, prepared: {}, isCompressible: false };
}

/** The built client with its compressed variants, in memory. Empty without a build. */
export function readAssets(directory: string): Map<string, CachedResponse> {
  if (!existsSync(directory)) return new Map();
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const twins = new Set(files.filter((file) => COMPRESSED.test(file)));
  const assets = new Map<string, CachedResponse>();
  // synchronous, because it is much faster and nothing is served yet
  for (const file of files) {
    const path = file.slice(directory.length).split(sep).join('/');
    if (!twins.has(file) && !HIDDEN.test(path)) assets.set(path, readAsset(file, path, twins));
  }
  return assets;
}

/** A missing asset is 404, never a page: the URL of a stale chunk must not return HTML. */
export const serveStatic = (assets: Map<string, CachedResponse>): Middleware =>
  function serveAsset(ctx, next) {
    const asset = assets.get(ctx.path);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (asset && isRead) return sendCachedResponse(ctx, asset);
    if (HASHED.test(ctx.path)) throw notFound();
    return next();
  };
