import type { Middleware } from 'koa';
import { speaking } from '../../../contract/i18n.ts';
import { getDirection, type Language } from '../../../contract/languages.ts';
import type { AppContext } from '../../app-context.ts';
import { watchStored } from '../../db/watch.ts';
import { AppError, describeError } from '../../errors.ts';
import { getSite } from '../../features/brand/site.ts';
import { type Maintenance, readMaintenance } from '../../features/settings/repository.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { escapeHtml } from '../../lib/html.ts';
import { readLanguage } from '../request/language.ts';
import { DOCUMENT_HEADERS } from './security.ts';

const toPage = (language: Language, title: string, message: string): string =>
  `<!doctype html><html lang="${language}" dir="${getDirection(language)}"><meta charset="utf-8"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p></html>`;

export interface MaintenanceWatch {
  read(): Promise<Maintenance | null>;
  isOff(): boolean;
}

export function watchMaintenance({ db, events }: AppContext): MaintenanceWatch {
  const { read, getLast, isFresh } = watchStored(events, 'maintenance', () => readMaintenance(db), null);
  return { read, isOff: () => getLast() === null && isFresh() };
}

export function refuseDuringMaintenance(appContext: AppContext, watch: MaintenanceWatch): Middleware {
  return async function refuse(ctx, next) {
    const maintenance = await watch.read();
    if (!maintenance) return next();
    const { message, phrase, retryAfter } = maintenance;
    const error = new AppError('maintenance', { retryAfter, ...(phrase ?? (message !== null && { message })) });
    if (ctx.path.startsWith('/api') || !ctx.accepts('html')) throw error;
    ctx.status = error.status;
    ctx.set(DOCUMENT_HEADERS);
    ctx.set('Retry-After', String(retryAfter));
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'html';
    const { siteName } = (await getSite(appContext).read()).config;
    const language = readLanguage(ctx.req, appContext.config);
    ctx.body = speaking(readTexts(language), () => toPage(language, siteName, describeError(error).message));
  };
}
