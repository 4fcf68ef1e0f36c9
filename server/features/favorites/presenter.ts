import type { Favorite } from '../../../contract/favorites.ts';
import { type Actor, isPausedAd, maySeeAd } from '../../policy.ts';
import { presentAd } from '../ads/presenter.ts';
import type { AdDetails } from '../ads/repository.ts';

/** A saved ad. If its saver may no longer open it, only the title remains, and it is shown as inactive or paused. */
export const presentFavorite = (row: AdDetails, actor: Actor): Favorite =>
  maySeeAd(actor, row)
    ? { ...presentAd(row, actor), isAvailable: true }
    : { ...presentHiddenAd(row), ...(isPausedAd(row) && { state: 'paused' }) };

const presentHiddenAd = (row: AdDetails): Favorite => ({
  id: row.id,
  userId: '',
  title: row.title,
  description: '',
  price: '0.00',
  category: '',
  categorySlug: '',
  location: null,
  placeId: null,
  priceType: 'fixed',
  condition: null,
  details: {},
  imageUrls: [],
  images: [],
  externalLink: null,
  allowMessages: false,
  isActive: false,
  isSold: row.is_sold,
  views: 0,
  createdAt: row.created_at,
  user: {
    id: '',
    username: null,
    displayName: '',
    avatar: null,
    isVerified: false,
    isPremium: false,
    xAccountCreated: null,
    joinDate: row.seller_created_at,
    createdAt: row.seller_created_at,
  },
  isAvailable: false,
});
