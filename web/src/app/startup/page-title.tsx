import { createContext, use, useEffect } from 'react';
import type { SiteConfig } from '../../../../contract/boot.ts';

/** Titles the document; renders nothing. */
export const PageTitle = ({ title }: { title: string | undefined }) => {
  usePageTitle(title, useSiteConfig().siteName);
  return null;
};

/** Titles the document "{title} | {site}"; the server sends the same title in the first HTML. */
export const usePageTitle = (title: string | undefined, siteName: string): void => {
  useEffect(() => {
    if (title) document.title = `${title} | ${siteName}`;
  }, [title, siteName]);
};

/** What stands where the server sent no settings along (Vite without a server). */
export const DEFAULT_SITE_CONFIG: SiteConfig = {
  siteName: 'Tradepost',
  mode: 'development',
  testUsers: [],
  xPosting: 'off',
  siteXHandle: 'tradepost',
  supportEmail: 'support@example.com',
  legalEmail: 'legal@example.com',
  maxImages: 5,
};

export const SiteConfigContext = createContext<SiteConfig>(DEFAULT_SITE_CONFIG);

/** The site's settings, as sent with the page. */
export const useSiteConfig = (): SiteConfig => use(SiteConfigContext);
