import type { DefaultContext, Middleware } from 'koa';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import { AppError } from '../../errors.ts';
import { hasToken, type RequestState } from '../request/request-info.ts';

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

export const ownHost = ({ publicUrl }: Pick<Config, 'publicUrl'>): string => new URL(publicUrl).host;

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

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface OriginHeaders {
  secFetchSite: string;
  origin: string;
  hasCookie: boolean;
}

export function isOwnWrite({ secFetchSite, origin, hasCookie }: OriginHeaders, publicUrl: string): boolean {
  if (secFetchSite !== '') return secFetchSite === 'same-origin';
  if (origin !== '') return origin === publicUrl;
  return !hasCookie;
}

/**
 * Endpoints with `oneClick` are exempt: mail programs call them, and they read no cookie. So are requests with an access token,
 * which no page can send without knowing it.
 */
export function rejectCrossSiteWrites(
  { config }: AppContext,
  specs: readonly EndpointSpec[],
): Middleware<RequestState, DefaultContext> {
  const exempt = new Set(specs.filter(({ oneClick }) => oneClick).map(({ method, path }) => `${method} ${path}`));
  return function refuseForeignWrite(ctx, next) {
    if (SAFE.has(ctx.method) || hasToken(ctx.req) || exempt.has(`${ctx.method} ${ctx.path}`)) return next();
    const headers = {
      secFetchSite: ctx.get('Sec-Fetch-Site'),
      origin: ctx.get('Origin'),
      hasCookie: ctx.get('Cookie') !== '',
    };
    if (isOwnWrite(headers, config.publicUrl)) return next();
    throw new AppError('csrf_rejected');
  };
}

const API_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const YEAR = 31_536_000;

export type HeadersConfig = Pick<Config, 'isHttps' | 'hsts'>;

export const securityHeaders = ({ isHttps, hsts }: HeadersConfig): Record<string, string> => ({
  'Content-Security-Policy': API_CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  ...(isHttps
    ? { 'Strict-Transport-Security': `max-age=${YEAR}${hsts === 'subdomains' ? '; includeSubDomains' : ''}` }
    : {}),
});

export const DOCUMENT_HEADERS = {
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(self), microphone=(), payment=(), usb=()',
};

export const errorHeaders = (config: HeadersConfig) => ({ ...securityHeaders(config), ...DOCUMENT_HEADERS });

export function setSecurityHeaders(config: Config): Middleware {
  const headers = Object.entries(securityHeaders(config));
  return (ctx, next) => {
    // ctx.set would validate each value
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
