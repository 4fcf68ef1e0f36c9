import { type Ad, getAd } from '../../../contract/ads.ts';
import { toUrl } from '../../../contract/boot.ts';
import { formatPrice } from '../../../contract/format-price.ts';
import { GALLERY_SIZES, toSrcset } from '../../../contract/srcset.ts';
import { toAdJsonLd, toBreadcrumbJsonLd } from './json-ld.ts';
import { notFoundPage } from './not-found.ts';
import { type PageContext, type PageData, tryCall } from './page-data.ts';

const SHA = /^\/media\/([0-9a-f]{64})\//;

/** The gallery's first picture, offered to the browser exactly as the gallery will ask for it. */
function lcpImage({ images: [cover] }: Ad) {
  if (!cover) return undefined;
  return { href: cover.url, srcset: toSrcset(cover), sizes: GALLERY_SIZES };
}

const cardOf = (ad: Ad) => {
  const sha = SHA.exec(ad.imageUrls[0] ?? '')?.[1];
  return sha && { path: `/media/${sha}/card.jpg`, alt: ad.title };
};

export async function buildAdPage({ call, params, config }: PageContext): Promise<PageData> {
  const target = { params: { id: params.id ?? '' } };
  const found = await tryCall(call, getAd, target);
  if (!found) return { ...notFoundPage('Ad not found'), page: 'ad-detail', missing: toUrl(getAd, target) };
  const ad = found.reply;
  const price = formatPrice(ad.price);
  const category = `/categories?${new URLSearchParams({ category: ad.category })}`;
  return {
    page: 'ad-detail',
    head: {
      title: `${ad.title} – ${price}`,
      description: `${ad.isSold ? 'Sold. ' : ''}${ad.location ? `${ad.location}. ` : ''}${ad.description}`,
      canonical: `/ads/${ad.id}`,
      type: 'product',
      image: cardOf(ad) || undefined,
      creator: ad.user.username,
      noindex: !ad.isActive,
      lcpImage: lcpImage(ad),
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

export async function buildEditAdPage({ call, params }: PageContext): Promise<PageData> {
  const found = await tryCall(call, getAd, { params: { id: params.id ?? '' } });
  if (!found) return { ...notFoundPage('Ad not found'), page: 'edit-ad', isDrawnInBrowser: true };
  const canonical = `/ads/${found.reply.id}`;
  return {
    page: 'edit-ad',
    head: { title: 'Edit Ad', description: 'Change your ad.', canonical, noindex: true },
    data: [found],
    isDrawnInBrowser: true,
  };
}
