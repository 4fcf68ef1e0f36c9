import type { Context, Middleware } from 'koa';
import { type Ad, listAds } from '../../../contract/ads.ts';
import { type Filters, readFilters } from '../../../contract/filters.ts';
import { getLanguage, speaking, t } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { isTextPage } from '../../../contract/page-texts.ts';
import { PAGES, type PageId, TITLES } from '../../../contract/pages.ts';
import { toPriceText } from '../../../contract/prices.ts';
import type { AppContext } from '../../app-context.ts';
import type { Config } from '../../config/load.ts';
import type { CategoryRow } from '../../db/rows.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { notFound } from '../../errors.ts';
import { listSitemapAds, listSitemapFiles } from '../../features/ads/repository.ts';
import { getSite } from '../../features/brand/site.ts';
import { nameIn } from '../../features/categories/names.ts';
import { findCategory, listCategories } from '../../features/categories/repository.ts';
import { listTextPages } from '../../features/pages/texts.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { escapeHtml } from '../../lib/html.ts';
import { ANONYMOUS } from '../../policy.ts';
import type { RouterContext } from '../endpoints/bind.ts';
import { createInternalClient } from '../endpoints/internal-client.ts';
import { readLanguage, toPageKey } from '../request/language.ts';
import { sendCachedResponse, toCachedResponse, toMoved } from '../response/cached-response.ts';

interface Document {
  text: string;
  type: string;
  language?: Language;
}

const XML_TYPE = 'application/xml; charset=utf-8';
const ADS_SITEMAP = /^\/sitemap-ads-(\d{1,12})\.xml$/;
const LIFETIME_MS = 10_000;
const FILES = new Set(['/robots.txt', '/sitemap.xml', '/sitemap-pages.xml', '/feed.atom']);

export const isCrawlerFile = (path: string): boolean => FILES.has(path) || ADS_SITEMAP.test(path);

export function serveCrawlerFiles({ appContext, routes, limits, responseCache }: RouterContext): Middleware {
  async function makeFeed(search: string, language: Language): Promise<Document> {
    const call = createInternalClient(appContext, routes, ANONYMOUS, language);
    const query = Object.fromEntries(new URLSearchParams(search));
    const { reply } = await call(listAds, { query });
    const categories = await nameIn(appContext.reads, await listCategories(appContext.reads), language);
    const { config } = await getSite(appContext).read();
    const now = appContext.clock.now();
    const text = speaking(readTexts(language), () => renderFeed(reply, { query, search, categories, config, now }));
    return { text, type: 'application/atom+xml; charset=utf-8', language };
  }

  /** The address of the feed by the slug of its category, if it has another one. @throws {AppError} not_found */
  async function findMovedFeed(search: string): Promise<string | undefined> {
    const query = new URLSearchParams(search);
    const wanted = query.get('category');
    if (wanted === null) return undefined;
    const category = await findCategory(appContext.reads, wanted);
    if (!category) throw notFound();
    if (category.slug === wanted) return undefined;
    query.set('category', category.slug);
    return `/feed.atom?${query}`;
  }

  async function makeDocument(ctx: Context, search: string, language: Language): Promise<Document | undefined> {
    const file = ADS_SITEMAP.exec(ctx.path)?.[1];
    if (file !== undefined) {
      const text = await renderAdsSitemap(appContext, Number(file));
      return text === undefined ? undefined : { text, type: XML_TYPE };
    }
    if (ctx.path === '/robots.txt') return { text: robotsTxt(appContext.config), type: 'text/plain; charset=utf-8' };
    if (ctx.path === '/sitemap.xml') return { text: await renderSitemapIndex(appContext), type: XML_TYPE };
    if (ctx.path === '/sitemap-pages.xml') return { text: await renderPagesSitemap(appContext), type: XML_TYPE };
    return makeFeed(search, language);
  }

  return async function serveDocument(ctx, next) {
    if (!isCrawlerFile(ctx.path)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    await limits.consume('search', limitKey(ANONYMOUS, ctx.state.ip));
    const search = ctx.path === '/feed.atom' ? new URLSearchParams(readFeedFilters(ctx.querystring)).toString() : '';
    const route = ctx.path.replace(/\d+/, ':n');
    ctx.state.route = route;
    const { config } = appContext;
    const language = readLanguage(ctx.req, config);
    const create = async () => {
      const moved = await findMovedFeed(search);
      if (moved) return { ...toMoved(moved), route };
      const document = await makeDocument(ctx, search, language);
      if (!document) throw notFound();
      const headers = {
        'Content-Type': document.type,
        'Cache-Control': 'public, max-age=60',
        ...(document.language && {
          'Content-Language': document.language,
          ...(config.locales.length > 1 && { Vary: 'Accept-Encoding, Accept-Language, Cookie' }),
        }),
      };
      return { ...toCachedResponse(200, headers, document.text), route };
    };
    const url = search ? `${ctx.path}?${search}` : ctx.path;
    const key = ctx.path === '/feed.atom' ? toPageKey(language, url, config) : url;
    await sendCachedResponse(ctx, await responseCache.get(key, create, LIFETIME_MS));
  };
}

/** A feed is always newest first. */
const readFeedFilters = (query: string): Omit<Filters, 'sort'> => {
  const { sort: _, ...filters } = readFilters(new URLSearchParams(query));
  return filters;
};

export const robotsTxt = ({ publicUrl }: Pick<Config, 'publicUrl'>): string =>
  [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /admin',
    'Disallow: /ban',
    'Disallow: /create-ad',
    'Disallow: /dashboard',
    'Disallow: /decisions',
    'Disallow: /messages',
    'Disallow: /notifications',
    'Disallow: /preferences',
    'Disallow: /recover',
    'Disallow: /saved-searches',
    'Disallow: /still-available',
    'Disallow: /verify-email',
    'Disallow: /unsubscribe',
    'Disallow: /ads/*/edit',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const INDEXED = (Object.keys(PAGES) as PageId[]).filter((id) => 'description' in PAGES[id] && PAGES[id].path !== '*');

const tag = (name: string, loc: string, lastmod?: string) =>
  `<${name}><loc>${escapeHtml(loc)}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</${name}>`;

/** The index: one file of fixed pages, then the ads by ranges of their ids. */
export async function renderSitemapIndex({ config, reads }: AppContext): Promise<string> {
  const files = await listSitemapFiles(reads);
  const urls = ['pages', ...files.map((file) => `ads-${file}`)].map(
    (name) => `${config.publicUrl}/sitemap-${name}.xml`,
  );
  return `${XML_DECLARATION}<sitemapindex ${NS}>\n${urls.map((url) => tag('sitemap', url)).join('\n')}\n</sitemapindex>\n`;
}

const urlset = (lines: string[]) => `${XML_DECLARATION}<urlset ${NS}>\n${lines.join('\n')}\n</urlset>\n`;

export async function renderPagesSitemap(ctx: AppContext): Promise<string> {
  const { config, reads } = ctx;
  const texts = new Set<PageId>(await listTextPages(ctx));
  const indexed = INDEXED.filter((id) => !isTextPage(id) || texts.has(id));
  const categories = (await listCategories(reads)).filter((row) => !row.is_disabled);
  const paths = [
    '/',
    '/categories',
    ...indexed.map((id) => PAGES[id].path),
    ...categories.map(({ slug }) => `/categories?${new URLSearchParams({ category: slug })}`),
  ];
  return urlset(paths.map((path) => tag('url', config.publicUrl + path)));
}

export async function renderAdsSitemap({ config, reads }: AppContext, file: number): Promise<string | undefined> {
  const ads = await listSitemapAds(reads, file);
  if (ads.length === 0) return undefined;
  return urlset(ads.map(({ id, updated_at }) => tag('url', `${config.publicUrl}/ads/${id}`, updated_at)));
}

interface FeedParts {
  query: Filters;
  search: string;
  /** All, with their names in the language of the feed. */
  categories: readonly CategoryRow[];
  config: Config;
  now: Date;
}

const renderEntry = (ad: Ad, { config: { publicUrl }, categories }: FeedParts): string => {
  const url = `${publicUrl}/ads/${ad.id}`;
  const cover = ad.images[0];
  const image = cover ? `<p><img src="${publicUrl}${cover.thumbUrl}" alt="" /></p>` : '';
  const content = `${image}<p>${escapeHtml(toPriceText(ad))}${ad.location ? ` · ${escapeHtml(ad.location)}` : ''}</p><p>${escapeHtml(ad.description)}</p>`;
  return `  <entry>
    <id>${url}</id>
    <title>${escapeHtml(`${TITLES.ad(ad)}`)}</title>
    <link href="${url}" />
    <published>${ad.createdAt}</published>
    <updated>${ad.createdAt}</updated>
    <author><name>${escapeHtml(ad.user.displayName)}</name></author>
    <category term="${escapeHtml(ad.categorySlug)}" label="${escapeHtml(findName(categories, ad.categorySlug) ?? ad.category)}" />
    <content type="html">${escapeHtml(content)}</content>
  </entry>`;
};

const findName = (categories: readonly CategoryRow[], slug: string | undefined): string | undefined =>
  categories.find((category) => category.slug === slug)?.name;

function renderFeed(ads: readonly Ad[], parts: FeedParts): string {
  const { query, search, categories, config, now } = parts;
  const { publicUrl, siteName } = config;
  const title = query.search
    ? t('list.quoted', { text: query.search })
    : (findName(categories, query.category) ?? t('list.latestAds'));
  const suffix = search ? `?${search}` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${getLanguage()}">
  <id>${escapeHtml(`${publicUrl}/feed.atom${suffix}`)}</id>
  <title>${escapeHtml(`${title} | ${siteName}`)}</title>
  <link rel="self" type="application/atom+xml" href="${escapeHtml(`${publicUrl}/feed.atom${suffix}`)}" />
  <link rel="alternate" type="text/html" href="${escapeHtml(`${publicUrl}/${suffix}`)}" />
  <updated>${ads[0]?.createdAt ?? now.toISOString()}</updated>
${ads.map((ad) => renderEntry(ad, parts)).join('\n')}
</feed>
`;
}
