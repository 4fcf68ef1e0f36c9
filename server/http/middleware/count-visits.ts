import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { getAd, listAds } from '../../../contract/ads.ts';
import { getProfile } from '../../../contract/users.ts';
import type { AppContext } from '../../app-context.ts';
import { getVisitCounter } from '../../features/stats/visit-counter.ts';
import { type RequestState, toViewer } from '../request/request-info.ts';

const PAGES = new Set<string | undefined>(['page', listAds.path, getAd.path, getProfile.path]);

export function countVisit(
  appContext: AppContext,
  req: IncomingMessage,
  { route, ip }: RequestState,
  status: number,
): void {
  if (req.method === 'GET' && status < 400 && PAGES.has(route)) getVisitCounter(appContext).count(toViewer(req, ip));
}

export const countVisits = (appContext: AppContext): Middleware =>
  async function countAnswered(ctx, next) {
    await next();
    countVisit(appContext, ctx.req, ctx.state as RequestState, ctx.status);
  };
