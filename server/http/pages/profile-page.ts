import { toUrl } from '../../../contract/boot.ts';
import { getProfile } from '../../../contract/users.ts';
import { toProfileJsonLd } from './json-ld.ts';
import { notFoundPage } from './not-found.ts';
import { type PageContext, type PageData, tryCall } from './page-data.ts';

export async function buildProfilePage({ call, params, config }: PageContext): Promise<PageData> {
  const target = { params: { username: params.username ?? '' }, query: { status: 'active' } } as const;
  const found = await tryCall(call, getProfile, target);
  if (!found) return { ...notFoundPage('User not found'), page: 'seller-profile', missing: toUrl(getProfile, target) };
  const { user, stats, ads } = found.reply;
  return {
    page: 'seller-profile',
    head: {
      title: `${user.displayName} (@${user.username})`,
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
