import { createContext, use } from 'react';
import type { SiteEnv } from '../../../../contract/boot.ts';

/** What stands where the server sent no settings along (Vite without a server). */
export const DEFAULT_ENV: SiteEnv = {
  siteName: 'Tradepost',
  mode: 'development',
  testUsers: [],
  xPosting: 'off',
  siteXHandle: 'tradepost',
  supportEmail: 'support@example.com',
  legalEmail: 'legal@example.com',
  maxImages: 5,
};

export const SiteEnvContext = createContext<SiteEnv>(DEFAULT_ENV);

/** The site's settings, as sent with the page. */
export const useSiteEnv = (): SiteEnv => use(SiteEnvContext);
