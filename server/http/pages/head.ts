import type { Ad } from '../../../contract/ads.ts';
import { getAttributes } from '../../../contract/attributes.ts';
import type { Condition } from '../../../contract/conditions.ts';
import { getMoney } from '../../../contract/money.ts';
import type { Profile } from '../../../contract/users.ts';
import type { Config } from '../../config/load.ts';
import { embedJson, escapeHtml, shortenLine } from '../../lib/html.ts';

export interface Head {
  title: string;
  description: string;
  canonical: string;
  type?: 'website' | 'product' | 'profile';
  image?: { path: string; alt: string };
  creator?: string | null;
  jsonLd?: object[];
  feed?: string;
  noindex?: boolean;
  lcpImage?: { href: string; srcset?: string; sizes?: string };
}

const CARD = { width: 1200, height: 600 };

const meta = (key: 'name' | 'property', name: string, content: string | null | undefined): string =>
  content ? `<meta ${key}="${name}" content="${escapeHtml(content)}" />` : '';

export const link = (rel: string, attributes: Record<string, string | undefined>): string => {
  const written = Object.entries(attributes).map(([name, value]) => (value ? ` ${name}="${escapeHtml(value)}"` : ''));
  return `<link rel="${rel}"${written.join('')} />`;
};

/** The tags for previews. X falls back from twitter:* to og:*, except for the card's kind. */
function cardTags(head: Head, { publicUrl, siteName, siteXHandle }: Config, look: string): string[] {
  const image = head.image ?? { path: `/og-default.jpg${look && `?v=${look}`}`, alt: siteName };
  return [
    meta('property', 'og:site_name', siteName),
    meta('property', 'og:type', head.type ?? 'website'),
    meta('property', 'og:title', head.title),
    meta('property', 'og:description', shortenLine(head.description, 200)),
    meta('property', 'og:url', publicUrl + head.canonical),
    meta('property', 'og:image', publicUrl + image.path),
    meta('property', 'og:image:type', 'image/jpeg'),
    meta('property', 'og:image:width', String(CARD.width)),
    meta('property', 'og:image:height', String(CARD.height)),
    meta('property', 'og:image:alt', shortenLine(image.alt, 420)),
    meta('name', 'twitter:card', 'summary_large_image'),
    meta('name', 'twitter:title', shortenLine(head.title, 70)),
    meta('name', 'twitter:description', shortenLine(head.description, 200)),
    meta('name', 'twitter:image', publicUrl + image.path),
    meta('name', 'twitter:image:alt', shortenLine(image.alt, 420)),
    meta('name', 'twitter:site', siteXHandle && `@${siteXHandle}`),
    meta('name', 'twitter:creator', head.creator && `@${head.creator}`),
  ];
}

export function renderHead(
  head: Head,
  config: Config,
  { scripts, stylesheet, style, look, nonce }: Record<'scripts' | 'stylesheet' | 'style' | 'look' | 'nonce', string>,
): string {
  const { lcpImage: lcp } = head;
  const preload = lcp && {
    as: 'image',
    href: lcp.href,
    imagesrcset: lcp.srcset,
    imagesizes: lcp.sizes,
    fetchpriority: 'high',
  };
  return [
    `<title>${escapeHtml(`${head.title} | ${config.siteName}`)}</title>`,
    `<meta property="csp-nonce" content="" nonce="${nonce}" />`,
    ...(preload ? [link('preload', preload)] : []),
    stylesheet,
    style && `<style nonce="${nonce}">${style}</style>`,
    scripts,
    meta('name', 'description', shortenLine(head.description, 155)),
    head.noindex ? meta('name', 'robots', 'noindex') : link('canonical', { href: config.publicUrl + head.canonical }),
    ...cardTags(head, config, look),
    head.feed ? link('alternate', { type: 'application/atom+xml', title: head.title, href: head.feed }) : '',
    ...(head.jsonLd ?? []).map((thing) => `<script type="application/ld+json">${embedJson(thing)}</script>`),
  ]
    .filter((line) => line !== '')
    .join('\n    ');
}

type Site = Pick<Config, 'publicUrl' | 'siteName'>;
const CONTEXT = 'https://schema.org';

const ITEM_CONDITION: Record<Condition, string> = {
  new: 'NewCondition',
  like_new: 'UsedCondition',
  good: 'UsedCondition',
  fair: 'UsedCondition',
  for_parts: 'DamagedCondition',
};

const toDetailsJsonLd = ({ details, categorySlug }: Ad): object =>
  Object.fromEntries(
    getAttributes(categorySlug).flatMap(({ key, jsonLd }) => {
      const value = details[key];
      if (!jsonLd || value === undefined) return [];
      return [[jsonLd, jsonLd === 'brand' ? { '@type': 'Brand', name: value } : value]];
    }),
  );

export const toAdJsonLd = (ad: Ad, { publicUrl }: Site): object => ({
  '@context': CONTEXT,
  '@type': 'Product',
  name: ad.title,
  description: ad.description,
  category: ad.category,
  image: ad.imageUrls.map((url) => publicUrl + url),
  ...toDetailsJsonLd(ad),
  ...(ad.condition && { itemCondition: `${CONTEXT}/${ITEM_CONDITION[ad.condition]}` }),
  offers: {
    '@type': 'Offer',
    url: `${publicUrl}/ads/${ad.id}`,
    price: ad.price,
    priceCurrency: getMoney().currency.code,
    availability: `${CONTEXT}/${ad.isSold ? 'SoldOut' : 'InStock'}`,
    seller: {
      '@type': 'Person',
      name: ad.user.displayName,
      ...(ad.user.username && { url: `${publicUrl}/users/${ad.user.username}` }),
    },
  },
});

export const toBreadcrumbJsonLd = (trail: [name: string, path: string][], { publicUrl }: Site): object => ({
  '@context': CONTEXT,
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(([name, path], index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: publicUrl + path,
  })),
});

export const toListJsonLd = (ads: readonly Ad[], { publicUrl }: Site): object => ({
  '@context': CONTEXT,
  '@type': 'ItemList',
  itemListElement: ads.map((ad, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: `${publicUrl}/ads/${ad.id}`,
    name: ad.title,
  })),
});

export const toProfileJsonLd = ({ user, stats }: Profile, { publicUrl }: Site): object => ({
  '@context': CONTEXT,
  '@type': 'ProfilePage',
  dateCreated: user.createdAt,
  mainEntity: {
    '@type': 'Person',
    name: user.displayName,
    alternateName: user.username,
    url: `${publicUrl}/users/${user.username}`,
    ...(user.avatar && { image: `${publicUrl}${user.avatar}` }),
    sameAs: [`https://x.com/${user.username}`],
    interactionStatistic: { '@type': 'InteractionCounter', userInteractionCount: stats.totalAds },
  },
});

export const toSiteJsonLd = ({ publicUrl, siteName }: Site): object => ({
  '@context': CONTEXT,
  '@type': 'WebSite',
  name: siteName,
  url: `${publicUrl}/`,
  potentialAction: {
    '@type': 'SearchAction',
    target: `${publicUrl}/?search={search_term_string}`,
    'query-input': 'required name=search_term_string',
  },
});
