import type { Middleware } from 'koa';
import { getAd, listAds } from '../../contract/ads.ts';
import { getProfile } from '../../contract/users.ts';
import type { App } from '../app.ts';
import { describeViewer } from './request-info.ts';

/** Documents, and the calls that the browser makes when a person turns to another page. What is polled is no page. */
const PAGES = new Set<string | undefined>(['page', listAds.path, getAd.path, getProfile.path]);

/** Counts pages that people look at, once they were answered. */
export const countVisits = (app: App): Middleware =>
  async function countVisit(ctx, next) {
    await next();
    if (ctx.method === 'GET' && ctx.status < 400 && PAGES.has(ctx.state.route)) app.visits.count(describeViewer(ctx));
  };
