import type { Context, DefaultContext, Middleware } from 'koa';
import { type RouteTools, refuse, sendReply } from './bind-route.ts';
import type { Microcache } from './microcache.ts';
import { sendAnswer } from './prepared-answer.ts';
import { hasJustWritten } from './read-your-writes.ts';
import { describeViewer, isSignedOut } from './request-info.ts';
import { routes } from './routes.ts';
import type { RequestState } from './state.ts';

/**
 * Answers, before router, limiter and parsing, what the same address was answered within the last second. Not to somebody
 * who has just written: a person always sees their own change. Limits protect the database, which this does not ask.
 */
export const serveHot = (shared: Microcache): Middleware<RequestState, DefaultContext> =>
  function answerHot(ctx, next) {
    const hot = ctx.method === 'GET' || ctx.method === 'HEAD' ? shared.peek(ctx.url) : undefined;
    if (!hot || hasJustWritten(ctx as never) || (hot.isForSignedOut && !isSignedOut(ctx as never))) return next();
    ctx.state.route = hot.route;
    hot.onSend?.(describeViewer(ctx as never));
    return sendAnswer(ctx as never, hot);
  };

/** The same for answers to one person: who asks is still read and judged. */
export function servePersonalHot({ sessions, personal }: Pick<RouteTools, 'sessions' | 'personal'>): Middleware {
  const hot = new Map(
    routes.flatMap(({ spec }) => (spec.hot && spec.method === 'GET' ? [[spec.path, spec] as const] : [])),
  );
  return async function answerPersonalHot(ctx: Context, next) {
    const spec = ctx.method === 'GET' && !hasJustWritten(ctx) ? hot.get(ctx.path) : undefined;
    if (!spec) return next();
    const actor = await sessions.readActor(ctx);
    const answer = actor.kind === 'user' ? personal.find(actor.id, ctx.url) : undefined;
    if (!answer) return next();
    ctx.state.actor = actor;
    ctx.state.route = spec.path;
    refuse(actor, spec);
    return sendReply(ctx, answer);
  };
}
