import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { AppContext } from '../app-context.ts';
import { findPendingMigrations } from '../db/migrate.ts';
import { createPool, type Db, ping } from '../db/pools.ts';
import { readDeliveryTotals } from '../features/notifications/delivery-repository.ts';
import { readSiteStats } from '../features/stats/repository.ts';
import { readWebhookTotals } from '../features/webhooks/deliveries-repository.ts';
import { readPostTotals } from '../features/x-posts/repository.ts';
import { readJobTotals } from '../jobs/queue.ts';
import { isAddressTooLong } from './request/request-info.ts';
import { createServer } from './without-undici.ts';

export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining';
}

interface Readiness {
  ready: boolean;
  reason?: string;
}

export interface Health {
  isReady(): Promise<Readiness>;
  close(): Promise<void>;
}

const withinOneSecond = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no response within 1 s')), 1000).unref()),
  ]);

const REUSE_MS = 250;

/** All who ask while a check runs, or shortly after it, get its result. */
function shareResult<T>(check: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  const forget = () => {
    result = undefined;
  };
  return () => (result ??= check().finally(() => setTimeout(forget, REUSE_MS).unref()));
}

/**
 * Readiness uses a separate connection: an exhausted pool must not take the replica out of service. Neither must those
 * who ask for it: it is public.
 */
export function createHealth({ config }: Pick<AppContext, 'config'>, lifecycle: Lifecycle): Health {
  const db = createPool({ url: config.databaseUrl, name: 'tradepost health', poolMax: 1, acquireTimeout: 1000 });
  let isMigrated = false;
  const checkDatabase = shareResult(async (): Promise<Readiness> => {
    try {
      await withinOneSecond(ping(db));
      const pending = isMigrated ? [] : await withinOneSecond(findPendingMigrations(db));
      isMigrated = pending.length === 0;
      return isMigrated ? { ready: true } : { ready: false, reason: `${pending.length} migrations are pending` };
    } catch {
      return { ready: false, reason: 'the database does not answer' };
    }
  });
  return {
    async isReady() {
      return lifecycle.phase === 'ready' ? checkDatabase() : { ready: false, reason: lifecycle.phase };
    },
    close: () => db.destroy(),
  };
}

export const serveHealth = (health: Health): Middleware =>
  async function respondToHealth(ctx, next) {
    const isLive = ctx.path === '/healthz' || ctx.path === '/livez';
    if (!isLive && ctx.path !== '/readyz') return next();
    const { ready, reason } = isLive ? { ready: true } : await health.isReady();
    ctx.set('Cache-Control', 'no-store');
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ok' : 'unavailable', ...(reason && { reason }) };
  };

const mayRead = (request: IncomingMessage, token: string | undefined): boolean => {
  if (token === undefined) return true;
  const sent = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
};

const send = (response: ServerResponse, status: number, text: string, type = 'text/plain; charset=utf-8'): void => {
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };
  response.writeHead(status, headers).end(text);
};

async function respond(
  { config, metrics }: AppContext,
  health: Health,
  request: IncomingMessage,
  response: ServerResponse,
) {
  if (isAddressTooLong(request)) return send(response, 414, 'the path is too long\n');
  if (request.url === '/livez' || request.url === '/healthz') return send(response, 200, 'ok\n');
  if (request.url === '/readyz') {
    const { ready, reason = 'ok' } = await health.isReady();
    return send(response, ready ? 200 : 503, `${reason}\n`);
  }
  if (request.url !== '/metrics') return send(response, 404, 'not found\n');
  if (!mayRead(request, config.metricsToken)) return send(response, 401, 'METRICS_TOKEN is set: send it as a bearer\n');
  send(response, 200, await metrics.registry.metrics(), metrics.registry.contentType);
}

const readTotals = async (db: Db): Promise<Record<string, number>> => ({
  ...(await readSiteStats(db)),
  ...(await readPostTotals(db)),
  ...(await readJobTotals(db)),
  ...(await readDeliveryTotals(db)),
  ...(await readWebhookTotals(db)),
});

/** /metrics and the health paths on a separate port, which responds even if the site is overloaded. */
export function createMetricsServer(appContext: AppContext, health: Health): Server {
  appContext.metrics.addTotals(() => readTotals(appContext.reads));
  return createServer((request, response) => {
    respond(appContext, health, request, response).catch((error) => {
      appContext.log.error({ err: error }, 'metrics');
      if (response.headersSent) response.destroy();
      else send(response, 500, 'metrics failed, see the log\n');
    });
  });
}
