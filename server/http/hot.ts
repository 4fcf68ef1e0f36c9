import type { DefaultContext, Middleware } from 'koa';
import type { Microcache } from './microcache.ts';
import { sendAnswer } from './prepared-answer.ts';
import { hasJustWritten } from './read-your-writes.ts';
import { describeViewer, isSignedOut } from './request-info.ts';
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
