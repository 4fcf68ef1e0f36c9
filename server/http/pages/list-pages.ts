import { readFilters } from '../../../contract/ad-filters.ts';
import { type Ad, listAds } from '../../../contract/ads.ts';
import type { Paged } from '../../../contract/initial-state.ts';
import { TITLES } from '../../../contract/pages.ts';
import { getCategoryStats, getSiteStats, listCategories } from '../../../contract/stats.ts';
import { toListJsonLd, toSiteJsonLd } from './json-ld.ts';
import { type PageContext, type PageData, tryCall } from './page-context.ts';

const withQuery = (path: string, query: Record<string, string>): string => {
  const search = new URLSearchParams(query).toString();
  return search ? `${path}?${search}` : path;
};

const getItems = (found: { cached: unknown } | undefined): Ad[] =>
  (found?.cached as Paged<Ad[]> | undefined)?.items ?? [];

const toLcpImage = (ads: readonly Ad[]) => {
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
  const ads = getItems(found);
  const { search, category, ...prices } = filters;
  const isCategoryAlone = category !== undefined && search === undefined && Object.keys(prices).length === 0;
  const isPlain = Object.keys(filters).length === 0;
  return {
    head: {
      title: TITLES.home(filters),
      description: isPlain
        ? `${config.siteName} is the marketplace for X users: buy and sell with people you can look up. ${stats.reply.activeAds.toLocaleString('en-US')} ads in ${stats.reply.categories} categories.`
        : `Ads${search ? ` for “${search}”` : ''}${category ? ` in ${category}` : ''} on ${config.siteName}, the newest first.`,
      canonical: isCategoryAlone ? withQuery('/categories', { category }) : withQuery('/', filters),
      noindex: !isPlain && !isCategoryAlone,
      feed: withQuery('/feed.atom', filters),
      jsonLd: isPlain ? [toSiteJsonLd(config), toListJsonLd(ads, config)] : [toListJsonLd(ads, config)],
      lcpImage: toLcpImage(ads),
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
      head: {
        title: TITLES.categories,
        description: `All ${categories.reply.length} categories of ${config.siteName}: ${categories.reply.map(({ name }) => name).join(', ')}.`,
        canonical: '/categories',
      },
      data: [categories, counts],
    };
  const key = wanted.toLowerCase();
  const known = categories.reply.find(({ name, slug }) => name.toLowerCase() === key || slug === key);
  const name = known?.name ?? wanted;
  const found = await tryCall(call, listAds, { query: { category: name } });
  const ads = getItems(found);
  return {
    head: {
      title: TITLES.category(name),
      description: `${name}: ${counts.reply[name] ?? 0} ads by people on X. ${ads
        .slice(0, 5)
        .map((ad) => ad.title)
        .join(' · ')}`,
      canonical: withQuery('/categories', { category: name }),
      noindex: known === undefined,
      feed: withQuery('/feed.atom', { category: name }),
      jsonLd: [toListJsonLd(ads, config)],
      lcpImage: toLcpImage(ads),
    },
    data: [categories, found],
  };
}
