import { createContext, use, useEffect } from 'react';
import { useMatches } from 'react-router-dom';
import type { SiteConfig } from '../../../contract/initial-state.ts';
import { getFixedTitle, PAGES, type PageId, toDocumentTitle } from '../../../contract/pages.ts';

/** Sets the document's title, "{title} | {site}". For titles that depend on data; see RouteTitle for fixed ones. */
export const PageTitle = ({ title }: { title: string | undefined }) => {
  const { siteName } = useSiteConfig();
  useEffect(() => {
    if (title) document.title = toDocumentTitle(title, siteName);
  }, [title, siteName]);
  return null;
};

/** Sets the fixed title of the page on screen, as contract/pages.ts has it. */
export const RouteTitle = () => {
  const { siteName } = useSiteConfig();
  const id = useMatches().at(-1)?.id ?? '';
  return <PageTitle title={id in PAGES ? getFixedTitle(id as PageId, siteName) : undefined} />;
};

/** Without a server (Vite alone). */
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
