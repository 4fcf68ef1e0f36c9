import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import Koa from 'koa';
import type { AppContext } from '../app-context.ts';
import { AppError, describeError } from '../errors.ts';
import { getSite } from '../features/brand/site.ts';
import { createApiRouter, createRouterContext } from './api-router.ts';
import { serveBrandFiles } from './brand-files.ts';
import { createHealth, type Health, type Lifecycle, serveHealth } from './health.ts';
import { serveMedia } from './media/media.ts';
import { countVisits } from './middleware/count-visits.ts';
import { handleErrors } from './middleware/error-handler.ts';
import { createLoadShedder, drawRetryAfter } from './middleware/load-shedding.ts';
import { refuseDuringMaintenance, watchMaintenance } from './middleware/maintenance.ts';
import { continueRequest, createRequestLog, readRequestId } from './middleware/request-log.ts';
import { type Handle, serveFromCache } from './middleware/response-cache.ts';
import {
  checkHost,
  errorHeaders,
  type HeadersConfig,
  rejectCrossSiteWrites,
  setSecurityHeaders,
} from './middleware/security.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { createPageRenderer, readTemplate } from './pages/render.ts';
import { servePages } from './pages/serve-page.ts';
import { speakingTo } from './request/language.ts';
import { isAddressTooLong, type RequestState } from './request/request-info.ts';
import { serveCrawlerFiles } from './seo/crawler-files.ts';
import { serveProductFeed } from './seo/product-feed.ts';
import { clearStaleSession, createKeygrip } from './session/session.ts';
import { readAssets, serveStatic } from './static.ts';

const ANSWERS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long'],
};

/** Invalid HTTP never reaches Koa: it gets the JSON and headers of any other error, and its socket is closed. */
export function respondToParserErrors(config: HeadersConfig) {
  const headers = Object.entries(errorHeaders(config)).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, message] = ANSWERS[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP'];
    const body = JSON.stringify({ message, code: 'validation_failed', requestId: randomUUID() });
    socket.end(
      `HTTP/1.1 ${status}\r\nConnection: close\r\nCache-Control: no-store\r\n${headers.join('')}` +
        `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  };
}

/** Rejects a request before anything else, which would take time from the others. It is counted, not logged. */
function createRejection({ config, metrics }: AppContext, code: 'overloaded' | 'uri_too_long'): RequestListener {
  const error = new AppError(code);
  const { status } = error;
  const fixed = {
    ...errorHeaders(config),
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
  };
  return function reject(req, res) {
    metrics.requestRejected(req.method ?? '', status);
    const requestId = readRequestId(req, config);
    const body = JSON.stringify({ ...speakingTo(req, config, () => describeError(error)), requestId });
    // otherwise the body would be parsed as the next request
    const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined;
    const own = {
      ...(status === 503 && { 'Retry-After': drawRetryAfter() }),
      'X-Request-Id': requestId,
      ...(hasBody && { Connection: 'close' }),
    };
    res.writeHead(status, { ...fixed, ...own, 'Content-Length': Buffer.byteLength(body) }).end(body);
  };
}

const isApiRequest = ({ url = '' }: IncomingMessage): boolean => url.startsWith('/api/');

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));

export interface Site {
  health: Health;
  handle: RequestListener;
  endStreams(): void;
  close(): Promise<void>;
}

/** Cookies and links use PUBLIC_URL, independent of the request's host and scheme. */
function fixOrigin(koa: Koa, { config }: AppContext): void {
  const { protocol, host } = new URL(config.publicUrl);
  Object.defineProperties(koa.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  });
}

export async function createSite(appContext: AppContext, lifecycle: Lifecycle, dist = DIST): Promise<Site> {
  const koa = new Koa();
  const keys = createKeygrip(appContext.config);
  koa.keys = keys;
  koa.silent = true;
  fixOrigin(koa, appContext);
  const health = createHealth(appContext, lifecycle);
  const tools = createRouterContext(appContext, koa, keys, lifecycle);
  const shedder = createLoadShedder(appContext);
  const maintenance = watchMaintenance(appContext);
  // subscribes before the connection is up: a later one might miss the first change
  getSite(appContext);
  const states = new WeakMap<IncomingMessage, RequestState>();
  const middlewares: Middleware[] = [
    continueRequest(states),
    ...(appContext.config.otelEndpoint ? [traceRequests(appContext.config) as Middleware] : []),
    clearStaleSession(appContext),
    handleErrors(appContext) as Middleware,
    setSecurityHeaders(appContext.config),
    closeWhileDraining(lifecycle),
    serveHealth(health),
    checkHost(appContext) as Middleware,
    refuseDuringMaintenance(appContext, maintenance),
    countVisits(appContext),
    rejectCrossSiteWrites(
      appContext,
      tools.routes.map(({ spec }) => spec),
    ) as Middleware,
    serveMedia({ ...tools, shedder }),
    serveBrandFiles(appContext),
    serveStatic(readAssets(dist)),
    servePages(
      { ...tools, shedder },
      await readTemplate(dist),
      createPageRenderer(join(dist, '.server/entry-server.js'), appContext.log),
    ),
    shedder.middleware,
    ...createApiRouter(tools),
    serveCrawlerFiles(tools),
    serveProductFeed(tools) as Middleware,
  ];
  for (const middleware of middlewares) koa.use(middleware);
  koa.on('error', (error) => appContext.log.debug({ err: error }, 'response not delivered'));
  const close = () => {
    tools.streams.close();
    shedder.close();
    return health.close();
  };
  const begin = createRequestLog(appContext);
  const callKoa = koa.callback();
  const rejectOverloaded = createRejection(appContext, 'overloaded');
  const rejectLongAddress = createRejection(appContext, 'uri_too_long');
  const handleByKoa: Handle = (req, res, state) => {
    states.set(req, state);
    void callKoa(req, res);
  };
  // traceRequests is a middleware: with tracing enabled, every request that is served must pass through Koa
  const isTraced = appContext.config.otelEndpoint !== undefined;
  const cache = isTraced ? undefined : serveFromCache({ ...tools, lifecycle, maintenance }, handleByKoa);
  const handle: RequestListener = (req, res) => {
    if (isAddressTooLong(req)) return rejectLongAddress(req, res);
    const isOverloaded = shedder.isFullFor(req);
    if (isOverloaded && isApiRequest(req) && !cache?.holds(req)) rejectOverloaded(req, res);
    else if (cache) cache.handle(req, res, begin(req, res), isOverloaded);
    else handleByKoa(req, res, begin(req, res));
  };
  return { health, handle, endStreams: tools.streams.close, close };
}

const closeWhileDraining = (lifecycle: Lifecycle): Middleware =>
  function closeConnection(ctx, next) {
    if (lifecycle.phase === 'draining') ctx.set('Connection', 'close');
    return next();
  };

/** Limits against slow and greedy clients. keepAliveTimeout exceeds that of usual load balancers (60 s). */
export function tuneServer(server: Server, appContext: AppContext): Server {
  server.headersTimeout = 10_000;
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 75_000;
  // ends connections on which no byte moves: clients that do not read. Event streams have their beat
  server.timeout = 120_000;
  server.maxRequestsPerSocket = 10_000;
  server.maxConnections = 4000;
  server.on('clientError', respondToParserErrors(appContext.config));
  return server;
}

/** optimizeEmptyRequests: node:http creates no stream for a request without a body. */
export const SERVER_OPTIONS = {
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16 * 1024,
  optimizeEmptyRequests: true,
};
