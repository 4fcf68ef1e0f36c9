import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import { clientAddress } from '../../endpoints/client-address.ts';
import { type Actor, getTokenId } from '../../policy.ts';
import type { RequestState } from '../request/request-info.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

const PROBES = new Set(['/livez', '/readyz', '/healthz']);

// Pages and files have no route of the contract; all unknown paths share one label.
const nameOther = (path: string): string => /^\/(assets|media|livez|readyz|healthz)\b/.exec(path)?.[0] ?? 'other';

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

/** The id that a trusted proxy gave the request, or a new one. */
export function readRequestId({ headers }: IncomingMessage, { trustProxyHops }: Config): string {
  const sent = trustProxyHops > 0 ? String(headers['x-request-id'] ?? '') : '';
  return REQUEST_ID.test(sent) ? sent : randomUUID();
}

type LogTools = Pick<AppContext, 'config' | 'log' | 'accessLog' | 'metrics'>;

export type BeginRequest = (req: IncomingMessage, res: ServerResponse) => RequestState;

/** A class, because V8 gives each object literal with a getter its own shape and keeps it until a full collection. */
class LoggedRequest implements RequestState {
  readonly requestId: string;
  readonly ip: string;
  route?: string;
  actor?: Actor;
  traceId?: string;
  hasStaleSession?: boolean;
  withoutPlace?: RequestState['withoutPlace'];
  readonly #appContext: LogTools;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  readonly #started = performance.now();
  #isAnswered = false;
  #log: AppContext['log'] | undefined;

  constructor(appContext: LogTools, req: IncomingMessage, res: ServerResponse) {
    this.#appContext = appContext;
    this.#req = req;
    this.#res = res;
    const { headers, socket } = req;
    const hops = appContext.config.trustProxyHops;
    const sentAddresses = hops > 0 ? String(headers['x-forwarded-for'] ?? '') : '';
    this.requestId = readRequestId(req, appContext.config);
    this.ip = clientAddress(socket.remoteAddress, sentAddresses, hops);
  }

  /** Created on first use: a child logger is costly, and few requests log anything. */
  get log(): AppContext['log'] {
    this.#log ??= this.#appContext.log.child({ requestId: this.requestId });
    return this.#log;
  }

  answered(): void {
    this.#count(this.#res.statusCode);
    this.#isAnswered = true;
  }

  closed(): void {
    const { requestId, ip, route, actor, traceId } = this;
    const { method = '' } = this.#req;
    const status = this.#res.writableFinished || this.#isAnswered ? this.#res.statusCode : 499;
    const ms = this.#count(status);
    const path = pathOf(this.#req);
    const userId = actor?.kind === 'user' ? actor.id : undefined;
    // probes would fill most of the log
    const level = PROBES.has(path) && status < 400 ? 'debug' : 'info';
    this.#appContext.accessLog(level, {
      requestId,
      method,
      path: path.slice(0, 200),
      route,
      status,
      ms,
      ip,
      userId,
      tokenId: actor && getTokenId(actor),
      traceId,
    });
  }

  #count(status: number): number {
    const ms = Math.round((performance.now() - this.#started) * 10) / 10;
    const route = this.route ?? nameOther(pathOf(this.#req));
    const { method = '' } = this.#req;
    if (!this.#isAnswered) this.#appContext.metrics.requestEnded({ method, route, status, seconds: ms / 1000 });
    return ms;
  }
}

export const createRequestLog = (appContext: AppContext): BeginRequest =>
  function beginRequest(req, res) {
    const state = new LoggedRequest(appContext, req, res);
    appContext.metrics.requestStarted();
    res.on('close', () => state.closed());
    return state;
  };

export const continueRequest = (states: WeakMap<IncomingMessage, RequestState>): Middleware =>
  function continueBegun(ctx, next) {
    const state = states.get(ctx.req)!;
    ctx.state = state;
    ctx.res.setHeader('X-Request-Id', state.requestId);
    return next();
  };
