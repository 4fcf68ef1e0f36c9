import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { RequestInfo, Viewer } from './endpoints/define.ts';
import { COOKIE } from './session/cookie.ts';

/** Brings no session: is told what everybody is told. */
export const isSignedOut = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  !headers['x-test-user'] && !headers.cookie?.includes(COOKIE);

/** Who an answer is sent to, for counting views. */
export const toViewer = ({ method = '', headers }: IncomingMessage, ip: string): Viewer => ({
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

/** A class: an object literal with getters has a shape of its own each time, which costs more than what it spares. */
class DescribedRequest implements RequestInfo {
  readonly ip: string;
  readonly method: string;
  readonly userAgent: string;
  readonly isPrefetch: boolean;
  readonly id: string;
  readonly url: string;
  readonly #ctx: Context;
  readonly #isShared: boolean;
  #signal: AbortSignal | undefined;

  constructor(ctx: Context, isShared: boolean, method?: string) {
    const viewer = toViewer(ctx.req, ctx.state.ip);
    this.ip = viewer.ip;
    this.method = method ?? viewer.method;
    this.userAgent = viewer.userAgent;
    this.isPrefetch = viewer.isPrefetch;
    this.id = ctx.state.requestId;
    this.url = ctx.originalUrl;
    this.#ctx = ctx;
    this.#isShared = isShared;
  }

  // made when asked for: few handlers do, and each costs as much as a hot answer
  get log() {
    return this.#ctx.state.log;
  }

  get signal() {
    this.#signal ??= this.#isShared ? new AbortController().signal : abortWhenGone(this.#ctx);
    return this.#signal;
  }
}

/** What a handler may know of the request itself. A shared answer is waited for by others: it is never called off. */
export const toRequestInfo = (ctx: Context, isShared = false): RequestInfo => new DescribedRequest(ctx, isShared);

/** For calls from inside on the way of an answer: HEAD, so that nothing is counted as a view. */
export const toInternalRequestInfo = (ctx: Context): RequestInfo => new DescribedRequest(ctx, false, 'HEAD');
