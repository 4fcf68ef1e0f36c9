import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context, Middleware } from 'koa';
import type { Condition } from '../../../contract/conditions.ts';
import { getMoney } from '../../../contract/money.ts';
import type { AppContext } from '../../app-context.ts';
import { limitKey } from '../../endpoints/client-address.ts';
import { notFound } from '../../errors.ts';
import { listOfferedAds, readOffersVersion } from '../../features/ads/product-feed-repository.ts';
import type { AdDetails } from '../../features/ads/repository.ts';
import { getSite } from '../../features/brand/site.ts';
import { nameIn } from '../../features/categories/names.ts';
import { listCategories } from '../../features/categories/repository.ts';
import { findUserByHandle } from '../../features/users/repository.ts';
import { escapeHtml } from '../../lib/html.ts';
import { ANONYMOUS } from '../../policy.ts';
import type { RouterContext } from '../endpoints/bind.ts';
import { matchesEtag } from '../response/cached-response.ts';

const PAGE = 500;
const MAX_HANDLE = 50;

/** In the order of the columns, by the names of Google, which Meta reads too. */
const FIELDS = [
  'id',
  'title',
  'description',
  'link',
  'image_link',
  'additional_image_link',
  'price',
  'availability',
  'condition',
  'product_type',
  'brand',
  'identifier_exists',
] as const;
type Field = (typeof FIELDS)[number];
type Product = Record<Exclude<Field, 'additional_image_link'>, string> & { additional_image_link: string[] };

const CONDITIONS: Readonly<Partial<Record<Condition, string>>> = { new: 'new' };

const toProduct = (ad: AdDetails, publicUrl: string, categories: ReadonlyMap<string, string>): Product => {
  const [cover = '', ...others] = ad.images.map(({ sha256 }) => `${publicUrl}/media/${sha256}/full.jpg`);
  const { brand = '' } = ad.details;
  return {
    id: ad.id,
    title: ad.title,
    description: ad.description,
    link: `${publicUrl}/ads/${ad.id}`,
    image_link: cover,
    additional_image_link: others,
    price: `${ad.price} ${getMoney().currency.code}`,
    availability: 'in_stock',
    condition: (ad.condition && CONDITIONS[ad.condition]) ?? 'used',
    product_type: categories.get(ad.category_slug) ?? ad.category,
    brand: String(brand),
    identifier_exists: 'no',
  };
};

/** By slug, in the first language of the marketplace. */
const nameCategories = async ({ reads, config }: AppContext): Promise<Map<string, string>> => {
  const rows = await nameIn(reads, await listCategories(reads), config.locales[0]);
  return new Map(rows.map(({ slug, name }) => [slug, name]));
};

async function* listProducts(
  { reads, config }: AppContext,
  sellerId: string | null,
  categories: ReadonlyMap<string, string>,
): AsyncGenerator<Product[]> {
  for (let after = '0'; ; ) {
    const ads = await listOfferedAds(reads, { sellerId, after, limit: PAGE });
    yield ads.map((ad) => toProduct(ad, config.publicUrl, categories));
    if (ads.length < PAGE) return;
    after = ads.at(-1)!.id;
  }
}

type Pages = AsyncIterable<Product[]>;

/** A cell of Google's tables has quotation marks around it only if it must. */
const toCell = (value: string | readonly string[]): string => {
  const text = typeof value === 'string' ? value : value.join(',');
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

async function* writeTable(pages: Pages): AsyncGenerator<string> {
  yield `${FIELDS.join('\t')}\n`;
  for await (const products of pages)
    yield products.map((product) => `${FIELDS.map((field) => toCell(product[field])).join('\t')}\n`).join('');
}

/** Title, description and link of an item are RSS's own; the rest is Google's. */
const RSS = ['title', 'description', 'link'];

const toItem = (product: Product): string => {
  const tags = FIELDS.flatMap((field) => {
    const name = RSS.includes(field) ? field : `g:${field}`;
    return [product[field]]
      .flat()
      .filter((value) => value !== '')
      .map((value) => `<${name}>${escapeHtml(value)}</${name}>`);
  });
  return `<item>\n${tags.join('\n')}\n</item>\n`;
};

async function* writeRss(pages: Pages, { name, url }: { name: string; url: string }): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
<title>${escapeHtml(name)}</title>
<link>${escapeHtml(url)}</link>
<description>${escapeHtml(name)}</description>
`;
  for await (const products of pages) yield products.map(toItem).join('');
  yield '</channel>\n</rss>\n';
}

const TYPES: Readonly<Record<string, string>> = {
  '/feed.products.tsv': 'text/tab-separated-values; charset=utf-8',
  '/feed.products.rss': 'application/rss+xml; charset=utf-8',
};

/** The seller whose handle `?seller=` says; null without one. @throws {AppError} not_found */
const findSeller = async ({ reads }: AppContext, ctx: Context): Promise<string | null> => {
  const { seller } = ctx.query;
  if (seller === undefined) return null;
  const user =
    typeof seller === 'string' && seller.length <= MAX_HANDLE ? await findUserByHandle(reads, seller) : undefined;
  if (!user || user.deleted_at !== null) throw notFound();
  return user.id;
};

/**
 * The ads that sell something, in the form of Google's catalogue, if the operator switched it on. Streamed a page at a time: memory does
 * not grow with the marketplace. What is not changed is not sent again.
 */
export const serveProductFeed = ({ appContext, limits }: RouterContext): Middleware => {
  const { config } = appContext;
  return async (ctx, next) => {
    const type = TYPES[ctx.path];
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (type === undefined || !config.productFeed || !isRead) return next();
    await limits.consume('search', limitKey(ANONYMOUS, ctx.state.ip));
    ctx.state.route = ctx.path;
    const sellerId = await findSeller(appContext, ctx as Context);
    const { siteName: name } = (await getSite(appContext).read()).config;
    const version = await readOffersVersion(appContext.reads, sellerId);
    ctx.status = 200;
    ctx.set({ 'Cache-Control': 'public, no-cache', 'Content-Type': type });
    const categories = await nameCategories(appContext);
    const shown = JSON.stringify([version, name, config.publicUrl, ...categories]);
    ctx.etag = hash('sha256', shown, 'base64url').slice(0, 22);
    if (matchesEtag(ctx.get('If-None-Match'), ctx.response.get('ETag'))) {
      ctx.status = 304;
      return;
    }
    if (ctx.method === 'HEAD') return;
    const pages = listProducts(appContext, sellerId, categories);
    const isTable = ctx.path.endsWith('.tsv');
    const body = Readable.from(isTable ? writeTable(pages) : writeRss(pages, { name, url: config.publicUrl }));
    ctx.body = body;
    // a type that the body sets
    ctx.set('Content-Type', type);
    // Koa leaves a started response open when its stream fails
    body.once('error', () => ctx.res.destroy());
  };
};
