import type { Context } from 'koa';
import type { RequestInfo, Viewer } from './route.ts';
import { COOKIE } from './session-cookie.ts';

/** Brings no session: is told what everybody is told. */
export const isSignedOut = (ctx: Context): boolean =>
  ctx.get('X-Test-User') === '' && !ctx.get('Cookie').includes(COOKIE);

/** Who an answer is sent to, for counting views. */
export const describeViewer = (ctx: Context): Viewer => ({
  ip: ctx.state.ip,
  method: ctx.method,
  userAgent: ctx.get('User-Agent').slice(0, 500),
  isPrefetch: /prefetch|prerender/.test(ctx.get('Sec-Purpose') + ctx.get('Purpose')),
});

/** What a handler may know of the request itself. */
export function describeRequest(ctx: Context): RequestInfo {
  const { requestId: id } = ctx.state;
  const gone = new AbortController();
  ctx.res.once('close', () => ctx.res.writableFinished || gone.abort());
  return {
    ...describeViewer(ctx),
    id,
    get log() {
      return ctx.state.log;
    },
    url: ctx.originalUrl,
    signal: gone.signal,
  };
}
