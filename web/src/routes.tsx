import type { RouteObject } from 'react-router-dom';
import { ErrorPage } from './app/error-page.tsx';
import { Shell } from './app/layout/layout.tsx';
import { lazyPage } from './app/startup/chunks.ts';

/** Every address of the site and the page behind it. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    children: [
      {
        errorElement: <ErrorPage />,
        children: [
          { index: true, ...lazyPage(() => import('./pages/home.tsx').then((m) => m.HomePage)) },
          {
            path: 'categories',
            ...lazyPage(() => import('./pages/categories.tsx').then((m) => m.CategoriesPage)),
          },
          { path: 'ads/:id', ...lazyPage(() => import('./pages/ad-detail.tsx').then((m) => m.AdDetailPage)) },
          { path: 'ads/:id/edit', ...lazyPage(() => import('./pages/edit-ad.tsx').then((m) => m.EditAdPage)) },
          { path: 'create-ad', ...lazyPage(() => import('./pages/create-ad.tsx').then((m) => m.CreateAdPage)) },
          {
            path: 'users/:username',
            ...lazyPage(() => import('./pages/seller-profile.tsx').then((m) => m.SellerProfilePage)),
          },
          { path: 'dashboard', ...lazyPage(() => import('./pages/dashboard.tsx').then((m) => m.DashboardPage)) },
          { path: 'messages', ...lazyPage(() => import('./pages/messages.tsx').then((m) => m.MessagesPage)) },
          {
            path: 'messages/:adId/:otherUserId',
            ...lazyPage(() => import('./pages/conversation.tsx').then((m) => m.ConversationPage)),
          },
          { path: 'admin', ...lazyPage(() => import('./pages/admin.tsx').then((m) => m.AdminPage)) },
          { path: 'contact', ...lazyPage(() => import('./pages/contact.tsx').then((m) => m.ContactPage)) },
          {
            path: 'how-it-works',
            ...lazyPage(() => import('./pages/how-it-works.tsx').then((m) => m.HowItWorksPage)),
          },
          {
            path: 'safety-tips',
            ...lazyPage(() => import('./pages/safety-tips.tsx').then((m) => m.SafetyTipsPage)),
          },
          {
            path: 'terms-of-service',
            ...lazyPage(() => import('./pages/terms-of-service.tsx').then((m) => m.TermsOfServicePage)),
          },
          { path: 'privacy', ...lazyPage(() => import('./pages/privacy.tsx').then((m) => m.PrivacyPage)) },
          { path: '*', ...lazyPage(() => import('./pages/not-found.tsx').then((m) => m.NotFoundPage)) },
        ],
      },
    ],
  },
];
