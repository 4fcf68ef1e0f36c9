import type { Middleware } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import { type Maintenance, readMaintenance } from '../../features/settings/repository.ts';
import { escapeHtml } from '../../lib/html.ts';
import { DOCUMENT_HEADERS } from './security.ts';

const STALE_MS = 1000;

const toPage = (title: string, message: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p></html>`;

export interface MaintenanceWatch {
  read(): Promise<Maintenance | null>;
  isOff(): boolean;
}

export function watchMaintenance({ db, events }: AppContext): MaintenanceWatch {
  let current: Maintenance | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  // An event arrived that no finished read has followed.
  let isOutdated = false;
  const readUntilCurrent = async () => {
    try {
      do {
        isOutdated = false;
        current = await readMaintenance(db);
      } while (isOutdated);
    } catch {
      isOutdated = true;
    }
    readAt = performance.now();
    reading = undefined;
  };
  const read = () => {
    reading ??= readUntilCurrent();
    return reading;
  };
  events.subscribe('maintenance', () => {
    isOutdated = true;
    void read();
  });
  const isFresh = () => !reading && ((events.isUp() && !isOutdated) || performance.now() - readAt <= STALE_MS);
  return {
    async read() {
      if (!isFresh()) await read();
      return current;
    },
    isOff: () => current === null && isFresh(),
  };
}

export function refuseDuringMaintenance({ config }: AppContext, watch: MaintenanceWatch): Middleware {
  return async function refuse(ctx, next) {
    const maintenance = await watch.read();
    if (!maintenance) return next();
    const error = new AppError('maintenance', {
      retryAfter: maintenance.retryAfter,
      ...(maintenance.message !== null && { message: maintenance.message }),
    });
    if (ctx.path.startsWith('/api') || !ctx.accepts('html')) throw error;
    ctx.status = error.status;
    ctx.set(DOCUMENT_HEADERS);
    ctx.set('Retry-After', String(maintenance.retryAfter));
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'html';
    ctx.body = toPage(config.siteName, error.message);
  };
}
