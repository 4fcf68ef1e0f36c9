import { type Ad, listAds } from '../../../contract/ads.ts';
import type { Paged } from '../../../contract/boot.ts';
import { getCategoryStats, getSiteStats, listCategories } from '../../../contract/stats.ts';
import { toListJsonLd, toSiteJsonLd } from './json-ld.ts';
import { type PageContext, type PageData, tryCall } from './page-data.ts';

const FILTERS = ['category', 'maxPrice', 'minPrice', 'search'] as const;

/** As the home page reads its address: trimmed, empty ones dropped. */
const readFilters = (query: URLSearchParams): Partial<Record<(typeof FILTERS)[number], string>> =>
  Object.fromEntries(FILTERS.map((name) => [name, query.get(name)?.trim()]).filter(([, value]) => value));

/** Parts of an address that decide what a list page shows; all else is the caller's own business. */
export const keepFilters = (query: URLSearchParams): string => new URLSearchParams(readFilters(query)).toString();

const withQuery = (path: string, query: Record<string, string>): string => {
  const search = new URLSearchParams(query).toString();
  return search ? `${path}?${search}` : path;
};

const itemsOf = (found: { cached: unknown } | undefined): Ad[] =>
  (found?.cached as Paged<Ad[]> | undefined)?.items ?? [];

const firstPicture = (ads: readonly Ad[]) => {
  const cover = ads[0]?.images[0];
  return cover && { href: cover.thumbUrl };
};

export async function buildHomePage({ call, query, config }: PageContext): Promise<PageData> {
  const filters = readFilters(query);
  const [found, stats, counts, categories] = await Promise.all([
    tryCall(call, listAds, { query: filters }),
    call(getSiteStats),
    call(getCategoryStats),
    call(listCategories),
  ]);
  const ads = itemsOf(found);
  const { search, category, ...prices } = filters;
  const isCategoryAlone = category !== undefined && search === undefined && Object.keys(prices).length === 0;
  const isPlain = Object.keys(filters).length === 0;
  return {
    page: 'home',
    head: {
      title: search ? `“${search}”` : (category ?? 'Browse ads'),
      description: isPlain
        ? `${config.siteName} is the marketplace for X users: buy and sell with people you can look up. ${stats.reply.activeAds.toLocaleString('en-US')} ads in ${stats.reply.categories} categories.`
        : `Ads${search ? ` for “${search}”` : ''}${category ? ` in ${category}` : ''} on ${config.siteName}, the newest first.`,
      canonical: isCategoryAlone ? withQuery('/categories', { category }) : withQuery('/', filters),
      // a search's result is no page of its own for search engines
      noindex: !isPlain && !isCategoryAlone,
      feed: withQuery('/feed.atom', filters),
      jsonLd: isPlain ? [toSiteJsonLd(config), toListJsonLd(ads, config)] : [toListJsonLd(ads, config)],
      lcpImage: firstPicture(ads),
    },
    data: [found, stats, counts, categories],
  };
}

export async function buildCategoriesPage(context: PageContext): Promise<PageData> {
  const { call, query, config } = context;
  const wanted = query.get('category')?.trim();
  const [categories, counts] = await Promise.all([call(listCategories), call(getCategoryStats)]);
  if (!wanted)
    return {
      page: 'categories',
      head: {
        title: 'Browse Categories',
        description: `All ${categories.reply.length} categories of ${config.siteName}: ${categories.reply.map(({ name }) => name).join(', ')}.`,
        canonical: '/categories',
      },
      data: [categories, counts],
    };
  const key = wanted.toLowerCase();
  const known = categories.reply.find(({ name, slug }) => name.toLowerCase() === key || slug === key);
  const name = known?.name ?? wanted;
  const found = await tryCall(call, listAds, { query: { category: name } });
  const ads = itemsOf(found);
  return {
    page: 'categories',
    head: {
      title: `${name} ads`,
      description: `${name}: ${counts.reply[name] ?? 0} ads by people on X. ${ads
        .slice(0, 5)
        .map((ad) => ad.title)
        .join(' · ')}`,
      canonical: withQuery('/categories', { category: name }),
      noindex: known === undefined,
      feed: withQuery('/feed.atom', { category: name }),
      jsonLd: [toListJsonLd(ads, config)],
      lcpImage: firstPicture(ads),
    },
    data: [categories, found],
  };
}
