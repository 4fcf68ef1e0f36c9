import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Koa, { type Middleware } from 'koa';
import type { App } from '../app-context.ts';
import { openRouter, openRouteTools } from './endpoints/router.ts';
import { type Health, openHealth, serveHealth } from './health.ts';
import type { Lifecycle } from './lifecycle.ts';
import { serveMedia } from './media/media.ts';
import { countVisits } from './middleware/count-visits.ts';
import { refuseForeignWrites } from './middleware/csrf.ts';
import { handleErrors } from './middleware/error-handler.ts';
import { checkHost } from './middleware/host-check.ts';
import { openShedder } from './middleware/load-shedding.ts';
import { refuseDuringMaintenance, watchMaintenance } from './middleware/maintenance.ts';
import { continueRequest, openRequestLog } from './middleware/request-log.ts';
import { setSecurityHeaders } from './middleware/security-headers.ts';
import { traceRequests } from './middleware/trace-requests.ts';
import { openPageContent } from './pages/page-renderer.ts';
import { servePages } from './pages/serve-page.ts';
import { readTemplate } from './pages/template.ts';
import { answerParserErrors } from './parser-errors.ts';
import { type Handle, openFastLane } from './response-cache/fast-lane.ts';
import { serveDocuments } from './seo/crawler-files.ts';
import { openKeygrip } from './session/cookie.ts';
import type { RequestState } from './state.ts';
import { readAssets, serveStatic } from './static.ts';
import { sweepBodies } from './uploads/body.ts';

const DIST = fileURLToPath(new URL('../../web/dist', import.meta.url));

export interface Site {
  health: Health;
  handle: RequestListener;
  /** Ends what would never end by itself, so that a stopping process does not wait for it. */
  endStreams(): void;
  close(): Promise<void>;
}

/** Cookies and links go by PUBLIC_URL, whatever host and scheme a request claims. */
function fixOrigin(koa: Koa, { config }: App): void {
  const { protocol, host } = new URL(config.publicUrl);
  Object.defineProperties(koa.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  });
}

/** The fast lane, and every middleware behind it, top to bottom. */
export async function openSite(app: App, lifecycle: Lifecycle, dist = DIST): Promise<Site> {
  const koa = new Koa();
  const keys = openKeygrip(app.config);
  koa.keys = keys;
  koa.silent = true;
  fixOrigin(koa, app);
  const health = openHealth(app, lifecycle);
  await sweepBodies(app);
  const tools = openRouteTools(app, koa, keys, lifecycle);
  const shedder = openShedder(app);
  const maintenance = watchMaintenance(app);
  const begun = new WeakMap<IncomingMessage, RequestState>();
  const middlewares: Middleware[] = [
    continueRequest(begun),
    ...(app.config.otelEndpoint ? [traceRequests(app.config) as Middleware] : []),
    handleErrors(app) as Middleware,
    setSecurityHeaders(app.config),
    closeWhileDraining(lifecycle),
    serveHealth(health),
    checkHost(app) as Middleware,
    refuseDuringMaintenance(app, maintenance),
    countVisits(app),
    refuseForeignWrites(app) as Middleware,
    serveMedia(app),
    serveStatic(readAssets(dist)),
    servePages(
      { ...tools, shedder },
      await readTemplate(dist),
      openPageContent(join(dist, '.server/entry-server.js'), app.log),
    ),
    shedder.middleware,
    ...openRouter(tools),
    serveDocuments(tools),
  ];
  for (const middleware of middlewares) koa.use(middleware);
  koa.on('error', (error) => app.log.debug({ err: error }, 'answer not delivered'));
  const close = () => {
    tools.streams.close();
    shedder.close();
    return health.close();
  };
  const begin = openRequestLog(app);
  const answerByKoa = koa.callback();
  const pass: Handle = (req, res, state) => {
    begun.set(req, state);
    void answerByKoa(req, res);
  };
  // spans are made by a middleware: where there are some, every request goes that way
  const answer = app.config.otelEndpoint ? pass : openFastLane({ ...tools, lifecycle, maintenance }, pass);
  return { health, handle: (req, res) => answer(req, res, begin(req, res)), endStreams: tools.streams.close, close };
}

const closeWhileDraining = (lifecycle: Lifecycle): Middleware =>
  function closeConnection(ctx, next) {
    if (lifecycle.phase === 'draining') ctx.set('Connection', 'close');
    return next();
  };

/** Limits against slow and greedy clients. keepAliveTimeout outlasts that of usual load balancers (60 s). */
export function tuneServer(server: Server, app: App): Server {
  server.headersTimeout = 10_000;
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 75_000;
  server.maxRequestsPerSocket = 10_000;
  server.maxConnections = 4000;
  server.on('clientError', answerParserErrors(app.config));
  return server;
}

/** Requests without a body have nothing to be read: node:http spares itself their stream, an eighth of a hot answer. */
export const SERVER_OPTIONS = {
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16 * 1024,
  optimizeEmptyRequests: true,
};
