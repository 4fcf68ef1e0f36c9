import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { RequestInfo, Viewer } from './route.ts';
import { COOKIE } from './session-cookie.ts';

/** Brings no session: is told what everybody is told. */
export const isSignedOut = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  !headers['x-test-user'] && !headers.cookie?.includes(COOKIE);

/** Who an answer is sent to, for counting views. */
export const describeViewer = ({ method = '', headers }: IncomingMessage, ip: string): Viewer => ({
  ip,
  method,
  userAgent: (headers['user-agent'] ?? '').slice(0, 500),
  isPrefetch: /prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`),
});

function abortWhenGone({ res }: Context): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => res.writableFinished || gone.abort());
  return gone.signal;
}

/** What a handler may know of the request itself. A shared answer is waited for by others: it is never called off. */
export function describeRequest(ctx: Context, isShared = false): RequestInfo {
  let signal: AbortSignal | undefined;
  return {
    ...describeViewer(ctx.req, ctx.state.ip),
    id: ctx.state.requestId,
    url: ctx.originalUrl,
    // made when asked for: few handlers do, and each costs as much as a hot answer
    get log() {
      return ctx.state.log;
    },
    get signal() {
      signal ??= isShared ? new AbortController().signal : abortWhenGone(ctx);
      return signal;
    },
  };
}
