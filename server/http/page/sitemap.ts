import type { App } from '../../app.ts';
import { listSitemapAds, listSitemapFiles } from '../../features/ads/sitemap-store.ts';
import { listCategories } from '../../features/categories/store.ts';
import { escapeHtml } from './html.ts';

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const TEXTS = ['/', '/categories', '/how-it-works', '/safety-tips', '/contact', '/terms-of-service', '/privacy'];

const tag = (name: string, loc: string, lastmod?: string) =>
  `<${name}><loc>${escapeHtml(loc)}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</${name}>`;

/** The index: one file of fixed pages, then the ads by ranges of their ids. */
export async function renderSitemapIndex({ config, reads }: App): Promise<string> {
  const files = await listSitemapFiles(reads);
  const urls = ['pages', ...files.map((file) => `ads-${file}`)].map(
    (name) => `${config.publicUrl}/sitemap-${name}.xml`,
  );
  return `${XML}<sitemapindex ${NS}>\n${urls.map((url) => tag('sitemap', url)).join('\n')}\n</sitemapindex>\n`;
}

const urlset = (lines: string[]) => `${XML}<urlset ${NS}>\n${lines.join('\n')}\n</urlset>\n`;

export async function renderPagesSitemap({ config, reads }: App): Promise<string> {
  const categories = (await listCategories(reads)).filter((row) => !row.is_disabled);
  const paths = [...TEXTS, ...categories.map(({ name }) => `/categories?${new URLSearchParams({ category: name })}`)];
  return urlset(paths.map((path) => tag('url', config.publicUrl + path)));
}

export async function renderAdsSitemap({ config, reads }: App, file: number): Promise<string | undefined> {
  const ads = await listSitemapAds(reads, file);
  if (ads.length === 0) return undefined;
  return urlset(ads.map(({ id, updated_at }) => tag('url', `${config.publicUrl}/ads/${id}`, updated_at)));
}
