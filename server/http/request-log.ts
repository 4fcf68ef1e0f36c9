import { randomUUID } from 'node:crypto';
import type { DefaultContext, Middleware } from 'koa';
import type { App } from '../app.ts';
import type { Logger } from '../log.ts';
import { clientAddress } from './client-address.ts';
import type { RequestState } from './state.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;

const IS_PROBE = /^\/(livez|readyz|healthz)$/;

// Pages and files have no route of the contract; what nobody knows shares one label, whatever a robot asks for.
const nameOther = (path: string): string => /^\/(assets|media|livez|readyz|healthz)\b/.exec(path)?.[0] ?? 'other';

/** A child logger costs as much as a hot answer, and few requests log anything: it is made when it is asked for. */
function openState(requestId: string, ip: string, log: Logger, answered: () => void): RequestState {
  let own: Logger | undefined;
  return {
    requestId,
    ip,
    answered,
    get log() {
      own ??= log.child({ requestId });
      return own;
    },
  };
}

/** Gives the request its id, address and logger; one line when it is answered. Paths are logged without their query. */
export const logRequests = ({ config, log, accessLog, metrics }: App): Middleware<RequestState, DefaultContext> =>
  async function logRequest(ctx, next) {
    const started = performance.now();
    const sent = config.trustProxyHops > 0 ? ctx.get('X-Request-Id') : '';
    const requestId = REQUEST_ID.test(sent) ? sent : randomUUID();
    const ip = clientAddress(ctx.req.socket.remoteAddress, ctx.get('X-Forwarded-For'), config.trustProxyHops);
    let isAnswered = false;
    const end = (status: number): number => {
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const route = state.route ?? nameOther(ctx.path);
      if (!isAnswered) metrics.requestEnded({ method: ctx.method, route, status, seconds: ms / 1000 });
      return ms;
    };
    const state = openState(requestId, ip, log, () => {
      end(ctx.res.statusCode);
      isAnswered = true;
    });
    ctx.state = state;
    ctx.set('X-Request-Id', requestId);
    metrics.requestStarted();
    ctx.res.once('close', () => {
      const { route, actor } = state;
      const status = ctx.res.writableFinished || isAnswered ? ctx.res.statusCode : 499;
      const ms = end(status);
      const userId = actor?.kind === 'user' ? actor.id : undefined;
      // A probe every few seconds would be most of the log.
      accessLog[IS_PROBE.test(ctx.path) && status < 400 ? 'debug' : 'info'](
        {
          requestId,
          method: ctx.method,
          path: ctx.path.slice(0, 200),
          route,
          status,
          ms,
          ip,
          userId,
          traceId: state.traceId,
        },
        'request',
      );
    });
    await next();
  };
