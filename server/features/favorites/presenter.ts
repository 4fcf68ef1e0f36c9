import type { Favorite } from '../../../contract/favorites.ts';
import { type Actor, maySeeAd } from '../../policy.ts';
import { presentAd } from '../ads/presenter.ts';
import type { AdDetails } from '../ads/repository.ts';

/** A saved ad. One that its saver may no longer open keeps its title only, shown as inactive. */
export const presentFavorite = (row: AdDetails, actor: Actor): Favorite => {
  const ad = presentAd(row, actor);
  if (maySeeAd(actor, row)) return { ...ad, isAvailable: true };
  const nobody = { id: '', username: null, displayName: '', avatar: null, isVerified: false, isPremium: false };
  return {
    ...ad,
    userId: '',
    description: '',
    price: '0.00',
    category: '',
    categorySlug: '',
    location: null,
    imageUrls: [],
    images: [],
    externalLink: null,
    allowMessages: false,
    isActive: false,
    views: 0,
    user: { ...ad.user, ...nobody, xAccountCreated: null },
    isAvailable: false,
  };
};
