import type { Context, Middleware } from 'koa';
import { listAds } from '../../../contract/ads.ts';
import { notFound } from '../../errors.ts';
import { ANONYMOUS } from '../../policy.ts';
import type { RouteTools } from '../bind-route.ts';
import { openMicrocache } from '../microcache.ts';
import { prepareAnswer, sendAnswer } from '../prepared-answer.ts';
import { limitKey } from '../rate-limit.ts';
import { describeInside } from '../request-info.ts';
import { routes } from '../routes.ts';
import { openCallInside } from './call-inside.ts';
import { renderFeed } from './feed.ts';
import { keepFilters } from './list-pages.ts';
import { robotsTxt } from './robots.ts';
import { renderAdsSitemap, renderPagesSitemap, renderSitemapIndex } from './sitemap.ts';

interface Document {
  text: string;
  type: string;
}

const XML = 'application/xml; charset=utf-8';
const ADS_SITEMAP = /^\/sitemap-ads-(\d{1,12})\.xml$/;
const TEN_SECONDS = 10_000;

/** robots.txt, sitemaps and Atom feeds: what machines read, kept for ten seconds. */
export function serveDocuments({ app, limits }: RouteTools): Middleware {
  const shared = openMicrocache(TEN_SECONDS);

  async function makeFeed(ctx: Context, search: string): Promise<Document> {
    const call = openCallInside(app, routes, ANONYMOUS, describeInside(ctx));
    const query = Object.fromEntries(new URLSearchParams(search));
    const { reply } = await call(listAds, { query });
    const title = query.search ? `“${query.search}”` : (query.category ?? 'Latest Ads');
    const text = renderFeed(reply, title, search, app.config, app.clock.now());
    return { text, type: 'application/atom+xml; charset=utf-8' };
  }

  async function makeDocument(ctx: Context, search: string): Promise<Document | undefined> {
    const file = ADS_SITEMAP.exec(ctx.path)?.[1];
    if (file !== undefined) {
      const text = await renderAdsSitemap(app, Number(file));
      return text === undefined ? undefined : { text, type: XML };
    }
    if (ctx.path === '/robots.txt') return { text: robotsTxt(app.config), type: 'text/plain; charset=utf-8' };
    if (ctx.path === '/sitemap.xml') return { text: await renderSitemapIndex(app), type: XML };
    if (ctx.path === '/sitemap-pages.xml') return { text: await renderPagesSitemap(app), type: XML };
    return makeFeed(ctx, search);
  }

  const KNOWN = new Set(['/robots.txt', '/sitemap.xml', '/sitemap-pages.xml', '/feed.atom']);
  return async function serveDocument(ctx, next) {
    if (!KNOWN.has(ctx.path) && !ADS_SITEMAP.test(ctx.path)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    await limits.consume('search', limitKey(ANONYMOUS, ctx.state.ip));
    const search = ctx.path === '/feed.atom' ? keepFilters(new URLSearchParams(ctx.querystring)) : '';
    ctx.state.route = ctx.path.replace(/\d+/, ':n');
    const answer = await shared.get(`${ctx.path}?${search}`, async () => {
      const document = await makeDocument(ctx, search);
      if (!document) throw notFound();
      const headers = { 'Content-Type': document.type, 'Cache-Control': 'public, max-age=60' };
      return prepareAnswer(200, headers, document.text);
    });
    await sendAnswer(ctx, answer);
  };
}
