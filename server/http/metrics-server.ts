import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AppContext } from '../app-context.ts';
import type { Health } from './health.ts';
import { createServer } from './without-undici.ts';

const mayRead = (request: IncomingMessage, token: string | undefined): boolean => {
  if (token === undefined) return true;
  const sent = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
};

const send = (response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
};

async function respond(
  { config, metrics }: AppContext,
  health: Health,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (request.url === '/livez' || request.url === '/healthz') return send(response, 200, 'ok\n');
  if (request.url === '/readyz') {
    const { ready, reason = 'ok' } = await health.isReady();
    return send(response, ready ? 200 : 503, `${reason}\n`);
  }
  if (request.url !== '/metrics') return send(response, 404, 'not found\n');
  if (!mayRead(request, config.metricsToken)) return send(response, 401, 'METRICS_TOKEN is set: send it as a bearer\n');
  send(response, 200, await metrics.registry.metrics(), metrics.registry.contentType);
}

/** /metrics and the health paths on a separate port, which responds even if the site is overloaded. */
export const createMetricsServer = (appContext: AppContext, health: Health): Server =>
  createServer((request, response) => {
    respond(appContext, health, request, response).catch((error) => {
      appContext.log.error({ err: error }, 'metrics');
      if (response.headersSent) response.destroy();
      else send(response, 500, 'metrics failed, see the log\n');
    });
  });
