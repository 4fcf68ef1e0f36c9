import type Router from '@koa/router';
import type Keygrip from 'keygrip';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type { AppContext } from '../app-context.ts';
import { AppError } from '../errors.ts';
import { getSite, type Site } from '../features/brand/site.ts';
import { bindRoute, type RouterContext } from './endpoints/bind.ts';
import { buildOpenApi } from './endpoints/openapi.ts';
import type { Lifecycle } from './health.ts';
import { createRateLimits } from './middleware/rate-limit.ts';
import { createResponseCache } from './middleware/response-cache.ts';
import { type CachedResponse, sendCachedResponse, toCachedResponse } from './response/cached-response.ts';
import { routes } from './routes.ts';
import { createTokenReader } from './session/access-token.ts';
import { createSessionReader, createSessionWriter, wrapSession } from './session/session.ts';
import { addSignIn } from './session/x-sign-in.ts';
import { createEventStreams } from './sse/event-streams.ts';
import { createUploadQuota } from './uploads/body.ts';
import { createRouter } from './without-undici.ts';

export function createRouterContext(
  appContext: AppContext,
  koa: Koa,
  keys: Keygrip,
  lifecycle: Lifecycle,
): RouterContext {
  const sessions = createSessionReader(appContext, keys);
  const limits = createRateLimits(appContext);
  return {
    appContext,
    routes,
    sessions,
    tokens: createTokenReader(appContext, limits),
    wrapSession: wrapSession(appContext, koa, keys),
    createSessionWriter,
    limits,
    uploadQuota: createUploadQuota(),
    responseCache: createResponseCache(),
    streams: createEventStreams(appContext, sessions, lifecycle),
  };
}

/**
 * Everything below /api. Case and trailing slashes are significant, so each endpoint has exactly one URL. Literal paths come
 * before patterns, with all of their methods: /api/places/nearest, which is a POST, never matches /api/places/:id.
 */
export function createApiRouter(tools: RouterContext): Middleware[] {
  const [literal, patterns] = [createRouter(EXACT), createRouter(EXACT)];
  const document = prepareDocument(tools.appContext);
  literal.get('/api/openapi.json', async (ctx) => sendCachedResponse(ctx, await document()));
  addSignIn(literal, tools);
  const ordered = routes.toSorted((a, b) => countPatterns(a.spec.path) - countPatterns(b.spec.path));
  for (const route of ordered) bindRoute(countPatterns(route.spec.path) === 0 ? literal : patterns, route, tools);
  return [literal, patterns].flatMap((router) => [router.routes() as Middleware, refuseOtherMethods(router)]);
}

const EXACT = { sensitive: true, strict: true };

function prepareDocument(appContext: AppContext): () => Promise<CachedResponse> {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, no-cache' };
  let made: { site: Site; document: CachedResponse } | undefined;
  return async () => {
    const site = await getSite(appContext).read();
    if (made?.site !== site)
      made = { site, document: toCachedResponse(200, headers, JSON.stringify(buildOpenApi(site.config))) };
    return made.document;
  };
}

const countPatterns = (path: string): number => path.split(':').length - 1;

const refuseOtherMethods = (router: Router): Middleware =>
  function refuseMethod(ctx, next) {
    if (!ctx.path.startsWith('/api/')) return next();
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap(({ methods }) => methods));
    if (methods.size === 0) return next();
    throw new AppError('method_not_allowed', { headers: { Allow: [...methods].sort().join(', ') } });
  };
