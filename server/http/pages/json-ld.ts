import type { Ad } from '../../../contract/ads.ts';
import type { Profile } from '../../../contract/users.ts';
import type { Config } from '../../config/load.ts';

type Site = Pick<Config, 'publicUrl' | 'siteName'>;
const CONTEXT = 'https://schema.org';

export const toAdJsonLd = (ad: Ad, { publicUrl }: Site): object => ({
  '@context': CONTEXT,
  '@type': 'Product',
  name: ad.title,
  description: ad.description,
  category: ad.category,
  image: ad.imageUrls.map((url) => publicUrl + url),
  offers: {
    '@type': 'Offer',
    url: `${publicUrl}/ads/${ad.id}`,
    price: ad.price,
    priceCurrency: 'USD',
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
    ...(user.avatar && { image: user.avatar }),
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
