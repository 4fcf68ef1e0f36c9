import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { Logger } from '../../observability/log.ts';
import type { Actor } from '../../policy.ts';
import type { RequestInfo, Viewer } from '../endpoints/define.ts';

export interface RequestState {
  requestId: string;
  ip: string;
  log: Logger;
  route?: string;
  actor?: Actor;
  /** Counts the request as ended while its stream goes on: the stream's duration is no response time. */
  answered(): void;
  traceId?: string;
}

export const SESSION_COOKIE = 'connect.sid';

export const isSignedOut = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  !headers['x-test-user'] && !headers.cookie?.includes(SESSION_COOKIE);

export const toViewer = ({ method = '', headers }: IncomingMessage, ip: string): Viewer => ({
  ip,
  method,
  userAgent: (headers['user-agent'] ?? '').slice(0, 500),
  isPrefetch: /prefetch|prerender/.test(`${headers['sec-purpose'] ?? ''}${headers.purpose ?? ''}`),
});

function abortOnDisconnect({ res }: Context): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => res.writableFinished || controller.abort());
  return controller.signal;
}

export const toRequestInfo = (ctx: Context): RequestInfo => ({
  ...toViewer(ctx.req, ctx.state.ip),
  id: ctx.state.requestId,
  log: ctx.state.log,
  signal: abortOnDisconnect(ctx),
});
