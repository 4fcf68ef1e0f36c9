import { type Ad, getAd, listAds } from '../../../contract/ads.ts';
import { BUILT_IN_WORDS } from '../../../contract/built-in-words.ts';
import type { EndpointSpec } from '../../../contract/endpoint.ts';
import { readFilters, toListed } from '../../../contract/filters.ts';
import { speaking, type Texts, t } from '../../../contract/i18n.ts';
import { GALLERY_SIZES, toSrcset } from '../../../contract/image-variants.ts';
import { type Paged, toUrl } from '../../../contract/initial-state.ts';
import type { Language } from '../../../contract/languages.ts';
import { readPageText, TEXT_PAGES, type TextPage } from '../../../contract/page-texts.ts';
import {
  type DataPageId,
  getFixedTitle,
  PAGES,
  type PageId,
  type PageSpec,
  TITLES,
  toList,
} from '../../../contract/pages.ts';
import { getPlace } from '../../../contract/places.ts';
import { PRICE_RULES } from '../../../contract/prices.ts';
import { type Category, getCategory, getCategoryStats, getSiteStats, listCategories } from '../../../contract/stats.ts';
import { getProfile } from '../../../contract/users.ts';
import type { Db } from '../../db/pools.ts';
import { AppError } from '../../errors.ts';
import { type Site, sayBrand } from '../../features/brand/site.ts';
import { findCategory } from '../../features/categories/repository.ts';
import type { Actor } from '../../policy.ts';
import type { CallEndpoint, EndpointInput, InternalResponse } from '../endpoints/internal-client.ts';
import { type Head, toAdJsonLd, toBreadcrumbJsonLd, toListJsonLd, toProfileJsonLd, toSiteJsonLd } from './head.ts';

interface PageContext extends Pick<Site, 'brand' | 'config'> {
  reads: Db;
  actor: Actor;
  call: CallEndpoint;
  params: Record<string, string>;
  query: URLSearchParams;
  title: string;
  texts: Texts;
}

export interface PageData {
  status?: 200 | 404;
  /** The page has moved to this path. */
  movedTo?: string;
  head: Head;
  data: readonly (Pick<InternalResponse<EndpointSpec>, 'url' | 'cached'> | undefined)[];
  missing?: string | undefined;
  viewed?: Ad;
}

type BuildPage = (context: PageContext) => Promise<PageData>;

const toMissingPage = (texts: Texts, title: string, missing?: string): PageData => ({
  status: 404,
  head: { title, description: speaking(texts, () => t('head.nothing')), canonical: '/', noindex: true },
  data: [],
  missing,
});

async function tryCall<E extends EndpointSpec>(
  call: CallEndpoint,
  spec: E,
  target?: EndpointInput<E>,
): Promise<InternalResponse<E> | undefined> {
  try {
    return await call(spec, target);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined;
    throw error;
  }
}

const BUILDERS: Record<DataPageId, BuildPage> & Partial<Record<PageId, BuildPage>> = {
  home: (context) => buildListPage('/', context),
  categories: buildCategoriesPage,
  'ad-detail': buildAdPage,
  'edit-ad': buildEditAdPage,
  'seller-profile': buildProfilePage,
  ...Object.fromEntries(TEXT_PAGES.map((page) => [page, (context: PageContext) => buildTextPage(page, context)])),
};

const PATTERNS = (Object.keys(PAGES) as PageId[]).map((id) => ({
  id,
  pattern: new URLPattern({ pathname: PAGES[id].path }),
}));

export interface BuiltPage extends PageData {
  id: PageId;
  clientOnly: boolean;
}

function matchPage(pathname: string) {
  for (const { id, pattern } of PATTERNS) {
    const match = pattern.exec({ pathname });
    if (match) return { id, params: match.pathname.groups };
  }
  throw new Error('the page "*" matches every path');
}

export async function buildPage(path: string, context: Omit<PageContext, 'params' | 'title'>): Promise<BuiltPage> {
  const { id, params } = matchPage(path);
  const title = speaking(context.texts, () => getFixedTitle(id, context.config.siteName) ?? '');
  // Every page can lead to a form or a filter that offers the categories.
  const [page, categories] = await Promise.all([
    BUILDERS[id]?.({ ...context, title, params: decodeParams(params) }) ?? toFixedPage(id, title, context.texts),
    context.call(listCategories, { query: { language: context.texts.language } }),
  ]);
  const data = page.data.some((reply) => reply?.url === categories.url) ? page.data : [...page.data, categories];
  return { ...page, data, id, clientOnly: (PAGES[id] as PageSpec).clientOnly === true };
}

/** Whether the page lists ads by filters, which takes as much of the database as the list of the API. */
export function isSearch(path: string, query: URLSearchParams): boolean {
  const { category, ...others } = readFilters(query);
  if (category === undefined && Object.keys(others).length === 0) return false;
  const { id } = matchPage(path);
  return id === 'home' || (id === 'categories' && category !== undefined);
}

function toFixedPage(id: PageId, title: string, texts: Texts): PageData {
  if (id === 'not-found') return toMissingPage(texts, title);
  const { path, description } = PAGES[id] as PageSpec;
  const noindex = description === undefined;
  const canonical = noindex ? `/${id}` : path;
  const text = description && speaking(texts, () => t(description));
  return { head: { title, description: text ?? title, canonical, noindex }, data: [] };
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const decode = (text = '') => {
    try {
      return decodeURIComponent(text);
    } catch {
      return '';
    }
  };
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

/** A page whose text is stored; without one there is no such page. */
async function buildTextPage(page: TextPage, { call, title, texts }: PageContext): Promise<PageData> {
  const target = { params: { page }, query: { language: texts.language } };
  const found = await tryCall(call, readPageText, target);
  return found
    ? { ...toFixedPage(page, title, texts), data: [found] }
    : toMissingPage(texts, title, toUrl(readPageText, target));
}

const SHA = /^\/media\/([0-9a-f]{64})\//;

function toLcpImage({ images: [cover] }: Ad) {
  if (!cover) return undefined;
  return { href: cover.url, srcset: toSrcset(cover), sizes: GALLERY_SIZES };
}

const toCardImage = (ad: Ad) => {
  const sha = SHA.exec(ad.imageUrls[0] ?? '')?.[1];
  return sha && { path: `/media/${sha}/card.jpg`, alt: ad.title };
};

async function buildAdPage({ call, params, config, texts }: PageContext): Promise<PageData> {
  const target = { params: { id: params.id ?? '' } };
  const found = await tryCall(call, getAd, target);
  if (!found)
    return toMissingPage(
      texts,
      speaking(texts, () => TITLES.adNotFound),
      toUrl(getAd, target),
    );
  const { reply: categories } = await call(listCategories, { query: { language: texts.language } });
  const given = found.reply;
  const category = categories.find(({ slug }) => slug === given.categorySlug)?.name ?? given.category;
  const ad = { ...given, category };
  const sold = ad.isSold ? speaking(texts, () => `${t('head.sold')} `) : '';
  return {
    head: {
      title: speaking(texts, () => TITLES.ad(ad)),
      description: `${sold}${ad.location ? `${ad.location}. ` : ''}${ad.description}`,
      canonical: `/ads/${ad.id}`,
      type: 'product',
      image: toCardImage(ad) || undefined,
      creator: ad.user.username,
      noindex: !ad.isActive,
      lcpImage: toLcpImage(ad),
      jsonLd: [
        // nothing is for sale where a person looks for something
        ...(PRICE_RULES[ad.priceType].isForSale ? [toAdJsonLd(ad, config)] : []),
        toBreadcrumbJsonLd(
          [
            [config.siteName, '/'],
            [category, toList({ category: ad.categorySlug })],
            [ad.title, `/ads/${ad.id}`],
          ],
          config,
        ),
      ],
    },
    data: [found],
    viewed: given,
  };
}

async function buildEditAdPage({ call, params, title, texts }: PageContext): Promise<PageData> {
  const found = await tryCall(call, getAd, { params: { id: params.id ?? '' } });
  if (!found) return { ...toMissingPage(texts, title), missing: undefined };
  const description = speaking(texts, () => t('head.editAd'));
  const head = { title, description, canonical: `/ads/${found.reply.id}`, noindex: true };
  return { head, data: [found] };
}

async function buildProfilePage({ call, params, config, texts }: PageContext): Promise<PageData> {
  const target = { params: { username: params.username ?? '' }, query: { status: 'active' } } as const;
  const found = await tryCall(call, getProfile, target);
  if (!found)
    return toMissingPage(
      texts,
      speaking(texts, () => TITLES.sellerNotFound),
      toUrl(getProfile, target),
    );
  const { user, stats, ads } = found.reply;
  return {
    head: {
      title: TITLES.seller(user),
      description: speaking(texts, () =>
        t('head.seller', {
          active: stats.activeAds,
          sold: stats.soldAds,
          name: user.displayName,
          site: config.siteName,
          titles: joinTitles(ads),
        }),
      ),
      canonical: `/users/${user.username}`,
      type: 'profile',
      creator: user.username,
      jsonLd: [toProfileJsonLd(found.reply, config)],
    },
    data: [found],
  };
}

/** The category of a page, also by its name, or by a former slug or name. null: there is none. */
async function readPageCategory(slugOrName: string, open: readonly Category[], reads: Db) {
  const found = open.find(({ slug }) => slug === slugOrName) ?? (await findCategory(reads, slugOrName));
  if (!found) return null;
  const { slug, name } = found;
  return { slug, name, isOpen: open.some((category) => category.slug === slug), isMoved: slug !== slugOrName };
}

const withQuery = (path: string, query: Record<string, string>): string => {
  const search = new URLSearchParams(query).toString();
  return search ? `${path}?${search}` : path;
};

/** The page is at the slug of its category. */
const toMovedPage = (
  texts: Texts,
  path: string,
  query: URLSearchParams,
  { slug, name }: Pick<Category, 'slug' | 'name'>,
): PageData => ({
  ...toMissingPage(texts, name),
  movedTo: toList({ ...readFilters(query), category: slug }, {}, path),
});

const toPaged = (found: { cached: unknown } | undefined) => found?.cached as Paged<Ad[]> | undefined;
const getItems = (found: { cached: unknown } | undefined): Ad[] => toPaged(found)?.items ?? [];

const toCover = (ads: readonly Ad[]) => {
  const cover = ads[0]?.images[0];
  return cover && { href: cover.thumbUrl };
};

const joinTitles = (ads: readonly Pick<Ad, 'title'>[]): string =>
  ads
    .slice(0, 5)
    .map(({ title }) => title)
    .join(' · ');

const describeCategory = (category: string, count: number, ads: readonly Ad[]): string =>
  t('head.category', {
    category,
    ads: t('list.countAds', { count }),
    titles: joinTitles(ads),
  });

/** Of a list with filters. How many ads there are may be unknown, or known at least. */
const describeFound = (list: string, found: Paged<Ad[]> | undefined, ads: readonly Ad[]): string =>
  found && found.total !== null && found.totalExact
    ? describeCategory(list, found.total, ads)
    : `${list}. ${joinTitles(ads)}`.trim();

/** A description of its own, unless all words are the built-in ones. */
const describeSite = (brand: Site['brand'], language: Language): string => {
  const [headline, tagline] = (['headline', 'tagline'] as const).map((name) => sayBrand(brand, name, language));
  return headline === BUILT_IN_WORDS.headline && tagline === BUILT_IN_WORDS.tagline
    ? t('head.site', { site: brand.name })
    : `${brand.name}: ${headline}. ${tagline}`.trim();
};

/** The list of ads at this path. */
async function buildListPage(
  path: string,
  { call, query, brand, config, reads, texts }: PageContext,
): Promise<PageData> {
  const given = readFilters(query);
  const { sort: _, ...filters } = given;
  const [found, place, stats, counts, categories] = await Promise.all([
    tryCall(call, listAds, { query: toListed(given) }),
    filters.near ? tryCall(call, getPlace, { params: { id: filters.near } }) : undefined,
    call(getSiteStats),
    call(getCategoryStats, { query: { by: 'slug' } }),
    call(listCategories, { query: { language: texts.language } }),
  ]);
  const ads = getItems(found);
  const { category, ...others } = filters;
  const known = category === undefined ? undefined : await readPageCategory(category, categories.reply, reads);
  if (known?.isMoved) return toMovedPage(texts, path, query, known);
  const bySlug = { params: { slug: category ?? '' }, query: { language: texts.language } };
  const disabled = known && !known.isOpen ? await tryCall(call, getCategory, bySlug) : undefined;
  const names = { category: disabled?.reply.name ?? known?.name ?? category, place: place?.reply.name };
  const isCategoryAlone = category !== undefined && Object.keys(others).length === 0;
  const isPlain = Object.keys(filters).length === 0;
  return {
    ...(known === null && { status: 404 as const, missing: toUrl(getCategory, bySlug) }),
    head: {
      title: speaking(texts, () => TITLES.list(filters, names)),
      description: speaking(texts, () => {
        if (isCategoryAlone) return describeCategory(names.category ?? category, counts.reply[category] ?? 0, ads);
        if (!isPlain) return describeFound(TITLES.list(filters, names), toPaged(found), ads);
        const { activeAds, categories: count } = stats.reply;
        const all = t('list.adsInCategories', { ads: t('list.countAds', { count: activeAds }), count });
        return `${describeSite(brand, texts.language)} ${all}.`;
      }),
      canonical: toList(filters),
      noindex: (!isPlain && !isCategoryAlone) || known === null || known?.isOpen === false,
      ...(known !== null && { feed: withQuery('/feed.atom', filters) }),
      jsonLd: isPlain ? [toSiteJsonLd(config), toListJsonLd(ads, config)] : [toListJsonLd(ads, config)],
      lcpImage: toCover(ads),
    },
    data: [found, place, stats, counts, categories, disabled],
  };
}

async function buildCategoriesPage(context: PageContext): Promise<PageData> {
  const { call, query, config, texts } = context;
  if (readFilters(query).category) return buildListPage('/categories', context);
  const [categories, counts] = await Promise.all([
    call(listCategories, { query: { language: texts.language } }),
    call(getCategoryStats, { query: { by: 'slug' } }),
  ]);
  return {
    head: {
      title: speaking(texts, () => TITLES.categories),
      description: speaking(texts, () => {
        const names = categories.reply.map(({ name }) => name).join(', ');
        return t('head.categories', { count: categories.reply.length, site: config.siteName, names });
      }),
      canonical: '/categories',
    },
    data: [categories, counts],
  };
}
