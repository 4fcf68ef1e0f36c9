import { createContext, use, useEffect } from 'react';
import { useMatches } from 'react-router-dom';
import { DEFAULT_BRAND } from '../../../contract/default-brand.ts';
import type { SiteConfig } from '../../../contract/initial-state.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { DEFAULT_CURRENCY } from '../../../contract/money.ts';
import { getFixedTitle, PAGES, type PageId, toDocumentTitle } from '../../../contract/pages.ts';

/** Sets the document title to "{title} | {site}", for titles that depend on data. RouteTitle sets the fixed ones. */
export const PageTitle = ({ title }: { title: string | undefined }) => {
  const { siteName } = useSiteConfig();
  useEffect(() => {
    if (title) document.title = toDocumentTitle(title, siteName);
  }, [title, siteName]);
  return null;
};

/** Sets the fixed title of the current page from contract/pages.ts. */
export const RouteTitle = () => {
  const { siteName } = useSiteConfig();
  const id = useMatches().at(-1)?.id ?? '';
  return <PageTitle title={id in PAGES ? getFixedTitle(id as PageId, siteName) : undefined} />;
};

/** For Vite without a server. */
export const DEFAULT_SITE_CONFIG: SiteConfig = {
  ...DEFAULT_BRAND,
  siteName: 'Tradepost',
  logo: null,
  mode: 'development',
  testUsers: [],
  xPosting: 'off',
  siteXHandle: 'tradepost',
  supportEmail: 'support@example.com',
  legalEmail: 'legal@example.com',
  maxImages: LIMITS.images,
  distanceUnit: 'km',
  hasImprint: false,
  currency: DEFAULT_CURRENCY,
  language: 'en',
  languages: ['en'],
};

export const SiteConfigContext = createContext<SiteConfig>(DEFAULT_SITE_CONFIG);

export const useSiteConfig = (): SiteConfig => use(SiteConfigContext);
