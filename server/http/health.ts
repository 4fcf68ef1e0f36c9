import type { Middleware } from 'koa';
import type { AppContext } from '../app-context.ts';
import { findPendingMigrations } from '../db/migrate.ts';
import { createPool, ping } from '../db/pools.ts';

export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining';
}

export interface Health {
  isReady(): Promise<{ ready: boolean; reason?: string }>;
  close(): Promise<void>;
}

const withinOneSecond = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no response within 1 s')), 1000).unref()),
  ]);

/** Readiness uses a separate connection: an exhausted pool must not take the replica out of service. */
export function createHealth({ config }: AppContext, lifecycle: Lifecycle): Health {
  const db = createPool({ url: config.databaseUrl, name: 'tradepost health', poolMax: 1, acquireTimeout: 1000 });
  let isMigrated = false;
  return {
    async isReady() {
      if (lifecycle.phase !== 'ready') return { ready: false, reason: lifecycle.phase };
      try {
        await withinOneSecond(ping(db));
        const pending = isMigrated ? [] : await withinOneSecond(findPendingMigrations(db));
        isMigrated = pending.length === 0;
        return isMigrated ? { ready: true } : { ready: false, reason: `${pending.length} migrations are pending` };
      } catch {
        return { ready: false, reason: 'the database does not answer' };
      }
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
