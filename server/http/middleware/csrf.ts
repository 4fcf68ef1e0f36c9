import type { DefaultContext, Middleware } from 'koa';
import type { AppContext } from '../../app-context.ts';
import { AppError } from '../../errors.ts';
import type { RequestState } from '../request/request-info.ts';

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

export const rejectCrossSiteWrites = ({ config }: AppContext): Middleware<RequestState, DefaultContext> =>
  function refuseForeignWrite(ctx, next) {
    const headers = {
      secFetchSite: ctx.get('Sec-Fetch-Site'),
      origin: ctx.get('Origin'),
      hasCookie: ctx.get('Cookie') !== '',
    };
    if (SAFE.has(ctx.method) || isOwnWrite(headers, config.publicUrl)) return next();
    throw new AppError('csrf_rejected');
  };
