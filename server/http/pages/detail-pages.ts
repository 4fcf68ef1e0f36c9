import { type Ad, getAd } from '../../../contract/ads.ts';
import { GALLERY_SIZES, toSrcset } from '../../../contract/image-variants.ts';
import { toUrl } from '../../../contract/initial-state.ts';
import { TITLES } from '../../../contract/pages.ts';
import { getProfile } from '../../../contract/users.ts';
import { toAdJsonLd, toBreadcrumbJsonLd, toProfileJsonLd } from './json-ld.ts';
import { type PageContext, type PageData, toMissingPage, tryCall } from './page-context.ts';

const SHA = /^\/media\/([0-9a-f]{64})\//;

function toLcpImage({ images: [cover] }: Ad) {
  if (!cover) return undefined;
  return { href: cover.url, srcset: toSrcset(cover), sizes: GALLERY_SIZES };
}

const toCardImage = (ad: Ad) => {
  const sha = SHA.exec(ad.imageUrls[0] ?? '')?.[1];
  return sha && { path: `/media/${sha}/card.jpg`, alt: ad.title };
};

export async function buildAdPage({ call, params, config }: PageContext): Promise<PageData> {
  const target = { params: { id: params.id ?? '' } };
  const found = await tryCall(call, getAd, target);
  if (!found) return toMissingPage(TITLES.adNotFound, toUrl(getAd, target));
  const ad = found.reply;
  const category = `/categories?${new URLSearchParams({ category: ad.category })}`;
  return {
    head: {
      title: TITLES.ad(ad),
      description: `${ad.isSold ? 'Sold. ' : ''}${ad.location ? `${ad.location}. ` : ''}${ad.description}`,
      canonical: `/ads/${ad.id}`,
      type: 'product',
      image: toCardImage(ad) || undefined,
      creator: ad.user.username,
      noindex: !ad.isActive,
      lcpImage: toLcpImage(ad),
      jsonLd: [
        toAdJsonLd(ad, config),
        toBreadcrumbJsonLd(
          [
            [config.siteName, '/'],
            [ad.category, category],
            [ad.title, `/ads/${ad.id}`],
          ],
          config,
        ),
      ],
    },
    data: [found],
    viewed: ad,
  };
}

export async function buildEditAdPage({ call, params, title }: PageContext): Promise<PageData> {
  const found = await tryCall(call, getAd, { params: { id: params.id ?? '' } });
  if (!found) return { ...toMissingPage(title), missing: undefined };
  const head = { title, description: 'Change your ad.', canonical: `/ads/${found.reply.id}`, noindex: true };
  return { head, data: [found] };
}

export async function buildProfilePage({ call, params, config }: PageContext): Promise<PageData> {
  const target = { params: { username: params.username ?? '' }, query: { status: 'active' } } as const;
  const found = await tryCall(call, getProfile, target);
  if (!found) return toMissingPage(TITLES.sellerNotFound, toUrl(getProfile, target));
  const { user, stats, ads } = found.reply;
  return {
    head: {
      title: TITLES.seller(user),
      description: `${stats.activeAds} active and ${stats.soldAds} sold ads by ${user.displayName} on ${config.siteName}. ${ads
        .slice(0, 5)
        .map((ad) => ad.title)
        .join(' · ')}`,
      canonical: `/users/${user.username}`,
      type: 'profile',
      creator: user.username,
      jsonLd: [toProfileJsonLd(found.reply, config)],
    },
    data: [found],
  };
}
