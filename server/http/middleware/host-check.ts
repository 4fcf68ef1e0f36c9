import type { DefaultContext, Middleware } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import type { RequestState } from '../request/request-info.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export const ownHost = ({ publicUrl }: Pick<AppContext['config'], 'publicUrl'>): string => new URL(publicUrl).host;

/**
 * Serves only PUBLIC_URL's host, because cookies, sign-in and links belong to it. Redirects requests for the other
 * loopback name of a local installation; all others get 421. Never reads X-Forwarded-Host.
 */
export function checkHost({ config }: AppContext): Middleware<RequestState, DefaultContext> {
  const host = ownHost(config);
  const isLocal = LOOPBACK.test(host);
  return function checkRequestHost(ctx, next) {
    const asked = ctx.get('Host').toLowerCase();
    if (asked === host) return next();
    const isPage = ctx.method === 'GET' && ctx.get('Sec-Fetch-Dest') === 'document';
    if (!isLocal || !LOOPBACK.test(asked) || !isPage) throw new AppError('misdirected_request');
    ctx.status = 302;
    ctx.set('Location', config.publicUrl + (ctx.originalUrl.startsWith('/') ? ctx.originalUrl : '/'));
    ctx.body = '';
  };
}
