import type { Middleware } from 'koa';
import type { Config } from '../../config/load.ts';

const API_CSP = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const YEAR = 31_536_000;

export const securityHeaders = ({ isHttps }: Pick<Config, 'isHttps'>): Record<string, string> => ({
  'Content-Security-Policy': API_CSP,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  ...(isHttps ? { 'Strict-Transport-Security': `max-age=${YEAR}; includeSubDomains` } : {}),
});

export const DOCUMENT_HEADERS = {
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

export const errorHeaders = (config: Pick<Config, 'isHttps'>): Record<string, string> => ({
  ...securityHeaders(config),
  ...DOCUMENT_HEADERS,
});

export function setSecurityHeaders(config: Config): Middleware {
  const headers = Object.entries(securityHeaders(config));
  return (ctx, next) => {
    // ctx.set would validate each value
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
}
