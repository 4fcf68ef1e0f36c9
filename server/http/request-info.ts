import type { Context } from 'koa';
import type { RequestInfo } from './route.ts';

/** What a handler may know of the request itself. */
export function describeRequest(ctx: Context): RequestInfo {
  const { requestId: id, ip, log } = ctx.state;
  const gone = new AbortController();
  ctx.res.once('close', () => ctx.res.writableFinished || gone.abort());
  return {
    id,
    ip,
    log,
    method: ctx.method,
    url: ctx.originalUrl,
    userAgent: ctx.get('User-Agent').slice(0, 500),
    isPrefetch: /prefetch|prerender/.test(ctx.get('Sec-Purpose') + ctx.get('Purpose')),
    signal: gone.signal,
  };
}
