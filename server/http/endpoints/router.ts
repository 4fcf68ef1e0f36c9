import type Router from '@koa/router';
import type Keygrip from 'keygrip';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type { App } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import { MESSAGE_NEWS, parseNews } from '../../features/messages/repository.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { openRateLimits } from '../middleware/rate-limit.ts';
import { openMicrocache } from '../response-cache/microcache.ts';
import { openPersonalCache } from '../response-cache/personal-cache.ts';
import { type PreparedAnswer, prepareAnswer, sendAnswer } from '../response-cache/prepared-answer.ts';
import { openSessionReader } from '../session/reader.ts';
import { wrapSession } from '../session/writer.ts';
import { addSignIn } from '../session/x-sign-in.ts';
import { openEventStreams } from '../sse/event-streams.ts';
import { openBodyBudget } from '../uploads/body.ts';
import { createRouter } from '../without-undici.ts';
import { bindRoute, type RouteTools } from './bind.ts';
import { describeApi } from './openapi.ts';
import { routes } from './routes.ts';

/** Forgets what a person was told when a message reaches them or is read, in whichever process that happens. */
function openPersonal({ listener }: App) {
  const personal = openPersonalCache();
  listener.on(MESSAGE_NEWS, (payload) => {
    const news = parseNews(payload);
    if (news) personal.forget(news.userId);
    else personal.clear();
  });
  return personal;
}

export function openRouteTools(app: App, koa: Koa, keys: Keygrip, lifecycle: Lifecycle): RouteTools {
  const sessions = openSessionReader(app, keys);
  return {
    app,
    sessions,
    wrapSession: wrapSession(app, koa, keys),
    limits: openRateLimits(app),
    budget: openBodyBudget(),
    shared: openMicrocache(),
    personal: openPersonal(app),
    streams: openEventStreams(app, sessions, lifecycle),
  };
}

/** Everything below /api. Case and trailing slashes count, so each endpoint has exactly one address. */
export function openRouter(tools: RouteTools): Middleware[] {
  const router = createRouter({ sensitive: true, strict: true });
  const document = prepareDocument(tools.app);
  router.get('/api/openapi.json', (ctx) => sendAnswer(ctx as never, document()));
  addSignIn(router, tools);
  // literal paths before patterns: /api/users/me/stats is no user id
  const ordered = routes.toSorted((a, b) => countPatterns(a.spec.path) - countPatterns(b.spec.path));
  for (const route of ordered) bindRoute(router, route, tools);
  return [router.routes() as Middleware, refuseOtherMethods(router)];
}

/** Made when it is first asked for: a twentieth of the time that the server takes to start. */
function prepareDocument({ config }: App): () => PreparedAnswer {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, no-cache' };
  let document: PreparedAnswer | undefined;
  return () => (document ??= prepareAnswer(200, headers, JSON.stringify(describeApi(config))));
}

const countPatterns = (path: string): number => path.split(':').length;

/** A known path under another method is 405 with Allow; an unknown one below /api is 404 by the error handler. */
const refuseOtherMethods = (router: Router): Middleware =>
  function refuseMethod(ctx, next) {
    if (!ctx.path.startsWith('/api/')) return next();
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap(({ methods }) => methods));
    if (methods.size === 0) return;
    throw new AppError('method_not_allowed', { headers: { Allow: [...methods].sort().join(', ') } });
  };
