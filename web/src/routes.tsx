import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { PAGES, type PageId, type PageSpec } from '../../contract/pages.ts';
import { ErrorPage } from './app/error-page.tsx';
import { GoodStanding, Shell } from './app/layout/layout.tsx';
import { PageUnlessRateLimited } from './app/rate-limited.tsx';
import { lazyPage } from './lib/chunks.ts';

const LOADERS: Record<PageId, () => Promise<ComponentType>> = {
  home: () => import('./pages/home.tsx').then((m) => m.HomePage),
  categories: () => import('./pages/categories.tsx').then((m) => m.CategoriesPage),
  'ad-detail': () => import('./pages/ad-detail.tsx').then((m) => m.AdDetailPage),
  'edit-ad': () => import('./pages/edit-ad.tsx').then((m) => m.EditAdPage),
  'seller-profile': () => import('./pages/seller-profile.tsx').then((m) => m.SellerProfilePage),
  'create-ad': () => import('./pages/create-ad.tsx').then((m) => m.CreateAdPage),
  dashboard: () => import('./pages/dashboard.tsx').then((m) => m.DashboardPage),
  preferences: () => import('./pages/preferences.tsx').then((m) => m.PreferencesPage),
  decisions: () => import('./pages/decisions.tsx').then((m) => m.DecisionsPage),
  ban: () => import('./pages/ban.tsx').then((m) => m.BanPage),
  messages: () => import('./pages/messages.tsx').then((m) => m.MessagesPage),
  conversation: () => import('./pages/conversation.tsx').then((m) => m.ConversationPage),
  notifications: () => import('./pages/notifications.tsx').then((m) => m.NotificationsPage),
  'saved-search': () => import('./pages/saved-search.tsx').then((m) => m.SavedSearchPage),
  'still-available': () => import('./pages/still-available.tsx').then((m) => m.StillAvailablePage),
  'verify-email': () => import('./pages/verify-email.tsx').then((m) => m.VerifyEmailPage),
  recover: () => import('./pages/recover.tsx').then((m) => m.RecoverPage),
  unsubscribe: () => import('./pages/unsubscribe.tsx').then((m) => m.UnsubscribePage),
  admin: () => import('./pages/admin.tsx').then((m) => m.AdminPage),
  'how-it-works': () => import('./pages/how-it-works.tsx').then((m) => m.HowItWorksPage),
  'safety-tips': () => import('./pages/safety-tips.tsx').then((m) => m.SafetyTipsPage),
  contact: () => import('./pages/contact.tsx').then((m) => m.ContactPage),
  'terms-of-service': () => import('./pages/terms-of-service.tsx').then((m) => m.TermsOfServicePage),
  privacy: () => import('./pages/privacy.tsx').then((m) => m.PrivacyPage),
  imprint: () => import('./pages/imprint.tsx').then((m) => m.ImprintPage),
  'not-found': () => import('./pages/not-found.tsx').then((m) => m.NotFoundPage),
};

const pages: RouteObject[] = (Object.keys(PAGES) as PageId[]).map((id) => {
  const page = { id, path: PAGES[id].path, ...lazyPage(LOADERS[id]) };
  const { whileSuspended }: PageSpec = PAGES[id];
  return whileSuspended === false ? { element: <GoodStanding />, children: [page] } : page;
});

/** The routes of contract/pages.ts. The id of a page selects its title (RouteTitle) and its code. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    children: [{ element: <PageUnlessRateLimited />, errorElement: <ErrorPage />, children: pages }],
  },
];
