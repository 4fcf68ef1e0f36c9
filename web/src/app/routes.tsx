import type { RouteObject } from 'react-router-dom';
import { ErrorPage } from './error-page.tsx';
import { lazyPage } from './lazy-page.ts';
import { Shell } from './shell/shell.tsx';

/** Every address of the site and the page behind it. */
export const routes: RouteObject[] = [
  {
    element: <Shell />,
    errorElement: <ErrorPage />,
    children: [
      {
        errorElement: <ErrorPage />,
        children: [
          { index: true, ...lazyPage(() => import('../pages/home/page.tsx').then((m) => m.HomePage)) },
          {
            path: 'categories',
            ...lazyPage(() => import('../pages/categories/page.tsx').then((m) => m.CategoriesPage)),
          },
          { path: 'ads/:id', ...lazyPage(() => import('../pages/ad-detail/page.tsx').then((m) => m.AdDetailPage)) },
          { path: 'ads/:id/edit', ...lazyPage(() => import('../pages/edit-ad/page.tsx').then((m) => m.EditAdPage)) },
          { path: 'create-ad', ...lazyPage(() => import('../pages/create-ad/page.tsx').then((m) => m.CreateAdPage)) },
          {
            path: 'users/:username',
            ...lazyPage(() => import('../pages/seller-profile/page.tsx').then((m) => m.SellerProfilePage)),
          },
          { path: 'dashboard', ...lazyPage(() => import('../pages/dashboard/page.tsx').then((m) => m.DashboardPage)) },
          { path: 'messages', ...lazyPage(() => import('../pages/messages/page.tsx').then((m) => m.MessagesPage)) },
          {
            path: 'messages/:adId/:otherUserId',
            ...lazyPage(() => import('../pages/conversation/page.tsx').then((m) => m.ConversationPage)),
          },
          { path: 'admin', ...lazyPage(() => import('../pages/admin/page.tsx').then((m) => m.AdminPage)) },
          { path: 'contact', ...lazyPage(() => import('../pages/contact/page.tsx').then((m) => m.ContactPage)) },
          {
            path: 'how-it-works',
            ...lazyPage(() => import('../pages/how-it-works/page.tsx').then((m) => m.HowItWorksPage)),
          },
          {
            path: 'safety-tips',
            ...lazyPage(() => import('../pages/safety-tips/page.tsx').then((m) => m.SafetyTipsPage)),
          },
          {
            path: 'terms-of-service',
            ...lazyPage(() => import('../pages/terms-of-service/page.tsx').then((m) => m.TermsOfServicePage)),
          },
          { path: 'privacy', ...lazyPage(() => import('../pages/privacy/page.tsx').then((m) => m.PrivacyPage)) },
          { path: '*', ...lazyPage(() => import('../pages/not-found/page.tsx').then((m) => m.NotFoundPage)) },
        ],
      },
    ],
  },
];
