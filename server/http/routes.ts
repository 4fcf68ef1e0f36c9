import type { Route } from '../endpoints/define.ts';
import { accessRoutes } from '../features/access/routes.ts';
import { tokenRoutes } from '../features/access/token-routes.ts';
import { accountRoutes } from '../features/account/routes.ts';
import { adminRoutes } from '../features/admin/routes.ts';
import { adRoutes, searchRoutes, similarRoutes } from '../features/ads/routes.ts';
import { synonymRoutes } from '../features/ads/search/synonyms-routes.ts';
import { authRoutes } from '../features/auth/routes.ts';
import { blockRoutes } from '../features/blocks/routes.ts';
import { brandRoutes } from '../features/brand/routes.ts';
import { categoryRoutes } from '../features/categories/routes.ts';
import { clientErrorRoutes } from '../features/client-errors/routes.ts';
import { contactRoutes } from '../features/contact/routes.ts';
import { conversationRoutes } from '../features/conversations/routes.ts';
import { favoriteRoutes } from '../features/favorites/routes.ts';
import { followRoutes } from '../features/follows/routes.ts';
import { photoRoutes } from '../features/images/routes.ts';
import { importRoutes } from '../features/imports/routes.ts';
import { messageRoutes } from '../features/messages/routes.ts';
import { notificationRoutes } from '../features/notifications/routes.ts';
import { offerRoutes } from '../features/offers/routes.ts';
import { pageRoutes } from '../features/pages/routes.ts';
import { placeRoutes } from '../features/places/routes.ts';
import { pushRoutes } from '../features/push/routes.ts';
import { ratingRoutes } from '../features/ratings/routes.ts';
import { reportRoutes } from '../features/reports/routes.ts';
import { expiryRoutes, saleRoutes } from '../features/sales/routes.ts';
import { savedSearchRoutes } from '../features/saved-searches/routes.ts';
import { sellerRoutes } from '../features/sellers/routes.ts';
import { settingsRoutes } from '../features/settings/routes.ts';
import { statsRoutes } from '../features/stats/routes.ts';
import { webhookRoutes } from '../features/webhooks/routes.ts';
import { xPostRoutes } from '../features/x-posts/routes.ts';

export const routes: readonly Route[] = [
  ...authRoutes,
  ...accessRoutes,
  ...tokenRoutes,
  ...adRoutes,
  ...photoRoutes,
  ...saleRoutes,
  ...expiryRoutes,
  ...searchRoutes,
  ...similarRoutes,
  ...placeRoutes,
  ...savedSearchRoutes,
  ...favoriteRoutes,
  ...messageRoutes,
  ...conversationRoutes,
  ...offerRoutes,
  ...blockRoutes,
  ...followRoutes,
  ...importRoutes,
  ...ratingRoutes,
  ...notificationRoutes,
  ...pushRoutes,
  ...webhookRoutes,
  ...sellerRoutes,
  ...accountRoutes,
  ...statsRoutes,
  ...contactRoutes,
  ...clientErrorRoutes,
  ...adminRoutes,
  ...reportRoutes,
  ...settingsRoutes,
  ...brandRoutes,
  ...pageRoutes,
  ...categoryRoutes,
  ...synonymRoutes,
  ...xPostRoutes,
];
