import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import { getImageCache } from '../../features/images/image-cache.ts';
import type { Lifecycle } from '../health.ts';
import { findCachedImage, parseImagePath } from '../media/media.ts';
import { readLanguage, toPageKey } from '../request/language.ts';
import { hasJustWritten } from '../request/read-your-writes.ts';
import { isSignedOut, type RequestState, toViewer } from '../request/request-info.ts';
import { type CachedResponse, type EncodedResponse, encodeResponse } from '../response/cached-response.ts';
import type { SessionReader } from '../session/session.ts';
import { countVisit } from './count-visits.ts';
import type { MaintenanceWatch } from './maintenance.ts';
import { ownHost, securityHeaders } from './security.ts';

/** Together with the lifetime of an ad's JSON (ads/ad-json-cache.ts), at most one second. */
const LIFETIME_MS = 500;
/** For so long after its lifetime, a response may be served instead of 503. */
const MAX_EXPIRED_MS = 10_000;
const MAX_ENTRIES = 2000;
const MAX_BYTES = 64 * 1024 * 1024;

export interface ResponseCache {
  find(url: string): CachedResponse | undefined;
  /** Also finds a response whose lifetime ended less than ten seconds ago. */
  findExpired(url: string): CachedResponse | undefined;
  get(url: string, create: () => Promise<CachedResponse>, lifetimeMs?: number): Promise<CachedResponse>;
}

function toKey(url: string): string {
  const start = url.indexOf('?') + 1;
  if (start === 0 || !url.includes('&', start)) return url;
  // A second '?' belongs to the query.
  return url.slice(0, start) + url.slice(start).split('&').sort().join('&');
}

const sizeOf = ({ response }: Entry): number => 1000 + Math.ceil(1.5 * response.body.length);

interface Entry {
  response: CachedResponse;
  /** On the clock of performance.now(). */
  freshUntil: number;
}

/** Whole responses by URL. Writes invalidate nothing: a client that has just written bypasses the cache. */
export function createResponseCache(): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: sizeOf,
  });
  const pending = new Map<string, Promise<CachedResponse>>();
  let sweptAt = performance.now();

  /** Otherwise entries that nobody requests again would fill the cache: lru-cache keeps them until it needs the room. */
  function sweep(): void {
    if (performance.now() - sweptAt < LIFETIME_MS) return;
    entries.purgeStale();
    sweptAt = performance.now();
  }

  async function createEntry(key: string, create: () => Promise<CachedResponse>, lifetimeMs: number) {
    // the response is as old as its data, which are read from now on
    const started = performance.now();
    try {
      const response = await create();
      sweep();
      const ttl = lifetimeMs + MAX_EXPIRED_MS - (performance.now() - started);
      if (ttl > 0) entries.set(key, { response, freshUntil: started + lifetimeMs }, { ttl });
      return response;
    } finally {
      pending.delete(key);
    }
  }

  function findFresh(key: string): CachedResponse | undefined {
    const entry = entries.get(key);
    return entry && performance.now() < entry.freshUntil ? entry.response : undefined;
  }

  return {
    find: (url) => findFresh(toKey(url)),
    findExpired: (url) => entries.get(toKey(url))?.response,
    async get(url, create, lifetimeMs = LIFETIME_MS) {
      const key = toKey(url);
      const found = findFresh(key) ?? pending.get(key);
      if (found) return found;
      const created = createEntry(key, create, lifetimeMs);
      pending.set(key, created);
      return created;
    },
  };
}

/**
 * Bypasses Koa, whose middlewares cost more than the response itself. So it adds the headers of every response: the
 * security headers and the request's id.
 */
function createRawWriter(config: Config) {
  const common = Object.entries(securityHeaders(config));
  const addCommon = (headers: string[]): string[] => {
    const names = new Set(headers.filter((_, i) => i % 2 === 0));
    return [...common.filter(([name]) => !names.has(name)).flat(), ...headers, 'X-Request-Id', ''];
  };
  return function writeRaw(res: ServerResponse, response: EncodedResponse, requestId: string): void {
    response.rawHeaders ??= addCommon(response.headers);
    response.rawHeaders[response.rawHeaders.length - 1] = requestId;
    res.writeHead(response.status, response.rawHeaders).end(response.body);
  };
}

export type Handle = (req: IncomingMessage, res: ServerResponse, state: RequestState) => void;

export interface CacheServer {
  /** Whether a response to this request is cached, even if it has just expired. */
  holds(req: IncomingMessage): boolean;
  /** Serves the cached response, or calls `next`. With `isOverloaded`, an expired one is better than none. */
  handle(...request: [...Parameters<Handle>, isOverloaded: boolean]): void;
}

interface Tools {
  appContext: AppContext;
  responseCache: ResponseCache;
  lifecycle: Lifecycle;
  maintenance: MaintenanceWatch;
  sessions: Pick<SessionReader, 'peekActor'>;
}

/**
 * Serves cached responses and images before Koa. Calls `next` for requests for another host, during maintenance, while
 * draining, and from clients that have just written. Rate limits protect the database, so they do not count these
 * responses.
 */
export function serveFromCache(
  { appContext, responseCache, lifecycle, maintenance, sessions }: Tools,
  next: Handle,
): CacheServer {
  const { config } = appContext;
  const imageCache = getImageCache(appContext);
  const host = ownHost(config);
  const writeRaw = createRawWriter(config);

  const isCacheable = ({ method, headers }: IncomingMessage): boolean =>
    method === 'GET' && headers.host === host && lifecycle.phase === 'ready' && maintenance.isOff();

  const isFor = (req: IncomingMessage, { isForSignedOut, hidesBlocked }: CachedResponse): boolean => {
    if ((!isForSignedOut && !hidesBlocked) || isSignedOut(req, config)) return true;
    return !isForSignedOut && sessions.peekActor(req)?.hasBlocks === false;
  };

  const findPublic = (key: string, isOverloaded: boolean): CachedResponse | undefined =>
    isOverloaded ? responseCache.findExpired(key) : responseCache.find(key);

  /** With several languages, a page is cached for each of them. */
  function findPage(req: IncomingMessage, url: string, isOverloaded: boolean): CachedResponse | undefined {
    if (config.locales.length === 1 || url.startsWith('/api/')) return undefined;
    return findPublic(toPageKey(readLanguage(req, config), url, config), isOverloaded);
  }

  function find(
    req: IncomingMessage,
    isOverloaded: boolean,
  ): CachedResponse | Promise<CachedResponse | undefined> | undefined {
    const url = req.url ?? '';
    if (!url.startsWith('/media/')) {
      const cached = findPublic(url, isOverloaded) ?? findPage(req, url, isOverloaded);
      return cached && !hasJustWritten(req, config) && isFor(req, cached) ? cached : undefined;
    }
    const key = parseImagePath(url);
    return key && findCachedImage(imageCache, key);
  }

  async function respondLater(found: Promise<CachedResponse | undefined>, ...[req, res, state]: Parameters<Handle>) {
    const response = await found;
    if (response) await respond(response, req, res, state);
    else next(req, res, state);
  }

  function respond(response: CachedResponse, ...[req, res, state]: Parameters<Handle>): void | Promise<void> {
    const encoded = encodeResponse(response, req.headers);
    if (encoded instanceof Promise) return encoded.then(() => respond(response, req, res, state));
    if (response.route) state.route = response.route;
    response.onSend?.(toViewer(req, state.ip));
    countVisit(appContext, req, state, encoded.status);
    writeRaw(res, encoded, state.requestId);
  }

  const giveUp = (err: unknown, ...[req, res, state]: Parameters<Handle>): void => {
    state.log.warn({ err }, 'a cached response could not be sent');
    if (res.headersSent) res.destroy();
    else next(req, res, state);
  };

  const lookUp = (req: IncomingMessage, isOverloaded: boolean) =>
    isCacheable(req) ? find(req, isOverloaded) : undefined;

  function serveCached(...[req, res, state, isOverloaded]: Parameters<CacheServer['handle']>): void {
    try {
      const found = lookUp(req, isOverloaded);
      if (!found) {
        next(req, res, state);
        return;
      }
      const sent = found instanceof Promise ? respondLater(found, req, res, state) : respond(found, req, res, state);
      sent?.catch((error) => giveUp(error, req, res, state));
    } catch (error) {
      giveUp(error, req, res, state);
    }
  }

  return { handle: serveCached, holds: (req) => lookUp(req, true) !== undefined };
}
