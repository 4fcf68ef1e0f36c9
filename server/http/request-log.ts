import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { App } from '../app.ts';
import { clientAddress } from './client-address.ts';
import type { RequestState } from './state.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

const IS_PROBE = /^\/(livez|readyz|healthz)$/;

// Pages and files have no route of the contract; what nobody knows shares one label, whatever a robot asks for.
const nameOther = (path: string): string => /^\/(assets|media|livez|readyz|healthz)\b/.exec(path)?.[0] ?? 'other';

/** Without the query, which is never logged. */
function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

export type BeginRequest = (req: IncomingMessage, res: ServerResponse) => RequestState;

/** Gives each request its id, address and logger; one line when it is answered. */
export function openRequestLog({ config, log, accessLog, metrics }: App): BeginRequest {
  const hops = config.trustProxyHops;

  const readId = ({ headers }: IncomingMessage): string => {
    const sent = hops > 0 ? String(headers['x-request-id'] ?? '') : '';
    return REQUEST_ID.test(sent) ? sent : randomUUID();
  };

  return function beginRequest(req, res) {
    const started = performance.now();
    const { method = '' } = req;
    let isAnswered = false;
    let own: App['log'] | undefined;
    const end = (status: number): number => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const route = state.route ?? nameOther(pathOf(req));
      if (!isAnswered) metrics.requestEnded({ method, route, status, seconds: ms / 1000 });
      return ms;
    };
    const state: RequestState = {
      requestId: readId(req),
      ip: clientAddress(req.socket.remoteAddress, hops > 0 ? String(req.headers['x-forwarded-for'] ?? '') : '', hops),
      answered() {
        end(res.statusCode);
        isAnswered = true;
      },
      // A child logger costs as much as a hot answer, and few requests log anything: it is made when it is asked for.
      get log() {
        own ??= log.child({ requestId: state.requestId });
        return own;
      },
    };
    metrics.requestStarted();
    res.once('close', () => {
      const { requestId, ip, route, actor, traceId } = state;
      const status = res.writableFinished || isAnswered ? res.statusCode : 499;
      const ms = end(status);
      const path = pathOf(req);
      const userId = actor?.kind === 'user' ? actor.id : undefined;
      // A probe every few seconds would be most of the log.
      const level = IS_PROBE.test(path) && status < 400 ? 'debug' : 'info';
      accessLog(level, { requestId, method, path: path.slice(0, 200), route, status, ms, ip, userId, traceId });
    });
    return state;
  };
}

/** What was begun before Koa goes on under `ctx.state`. */
export const continueRequest = (begun: WeakMap<IncomingMessage, RequestState>): Middleware =>
  function continueBegun(ctx, next) {
    const state = begun.get(ctx.req)!;
    ctx.state = state;
    ctx.res.setHeader('X-Request-Id', state.requestId);
    return next();
  };
