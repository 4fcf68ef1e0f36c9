import type { Ad } from './ads.ts';
import { applyChanges, type FilterNames, type Filters } from './filters.ts';
import { type TextKey, t } from './i18n.ts';
import { toPriceText } from './prices.ts';

export interface PageSpec {
  path: string;
  title?: TextKey;
  /** For search engines. */
  description?: TextKey;
  /** Rendered on the client only: the page shows drafts or private data, or its form needs scripts. */
  clientOnly?: true;
  /** Whether a suspended person may use the page. */
  whileSuspended?: boolean;
}

/** Its title depends on data. `never`: otherwise a private page without a decision would count as one of these. */
type DataPage = Pick<PageSpec, 'path'> & { title?: never; clientOnly?: never };
type IndexedPage = PageSpec & Required<Pick<PageSpec, 'title' | 'description'>>;
/** Not indexed; robots.txt excludes it. */
type PrivatePage = Required<Omit<PageSpec, 'description'>>;

/**
 * Every page of the site by the name of its file in web/src/pages. This table types the router (web/src/routes.tsx)
 * and the server (server/http/pages/pages.ts): a missing page does not compile.
 */
export const PAGES = {
  home: { path: '/' },
  categories: { path: '/categories' },
  'ad-detail': { path: '/ads/:id' },
  'edit-ad': { path: '/ads/:id/edit', title: 'shell.titleEditAd', clientOnly: true, whileSuspended: false },
  'seller-profile': { path: '/users/:username' },
  'create-ad': { path: '/create-ad', title: 'shell.titleCreateAd', clientOnly: true, whileSuspended: false },
  dashboard: { path: '/dashboard', title: 'shell.titleDashboard', clientOnly: true, whileSuspended: false },
  preferences: { path: '/preferences', title: 'shell.titlePreferences', clientOnly: true, whileSuspended: false },
  decisions: { path: '/decisions', title: 'shell.titleDecisions', clientOnly: true, whileSuspended: true },
  ban: { path: '/ban', title: 'shell.titleBan', clientOnly: true, whileSuspended: true },
  messages: { path: '/messages', title: 'shell.titleMessages', clientOnly: true, whileSuspended: false },
  conversation: {
    path: '/messages/:adId/:otherUserId',
    title: 'shell.titleConversation',
    clientOnly: true,
    whileSuspended: false,
  },
  notifications: { path: '/notifications', title: 'shell.titleNotifications', clientOnly: true, whileSuspended: false },
  'saved-search': {
    path: '/saved-searches/:id',
    title: 'shell.titleSavedSearch',
    clientOnly: true,
    whileSuspended: false,
  },
  'still-available': {
    path: '/still-available',
    title: 'shell.titleStillAvailable',
    clientOnly: true,
    whileSuspended: true,
  },
  'verify-email': {
    path: '/verify-email',
    title: 'shell.titleVerifyEmail',
    clientOnly: true,
    whileSuspended: true,
  },
  recover: { path: '/recover', title: 'shell.titleRecover', clientOnly: true, whileSuspended: true },
  unsubscribe: { path: '/unsubscribe', title: 'shell.titleUnsubscribe', clientOnly: true, whileSuspended: true },
  admin: { path: '/admin', title: 'shell.titleAdmin', clientOnly: true, whileSuspended: true },
  'how-it-works': {
    path: '/how-it-works',
    title: 'shell.titleHowItWorks',
    description: 'head.how',
  },
  'safety-tips': {
    path: '/safety-tips',
    title: 'shell.titleSafetyTips',
    description: 'head.safety',
  },
  contact: {
    path: '/contact',
    title: 'shell.titleContact',
    description: 'head.contact',
    clientOnly: true,
  },
  'terms-of-service': {
    path: '/terms-of-service',
    title: 'shell.titleTermsOfService',
    description: 'head.terms',
  },
  privacy: {
    path: '/privacy',
    title: 'shell.titlePrivacy',
    description: 'head.privacy',
  },
  imprint: { path: '/imprint', title: 'shell.titleImprint', description: 'head.imprint' },
  'not-found': { path: '*', title: 'shell.titleNotFound', description: 'head.nothing' },
} as const satisfies Record<string, DataPage | IndexedPage | PrivatePage>;

export type PageId = keyof typeof PAGES;
export type DataPageId = { [Id in PageId]: (typeof PAGES)[Id] extends { title: string } ? never : Id }[PageId];

export const TITLES = {
  list: ({ search }: { search?: string | undefined }, { category, place }: FilterNames): string => {
    const title = search
      ? t('list.quoted', { text: search })
      : category
        ? t('list.categoryAds', { category })
        : t('list.browseAds');
    return place ? t('list.titleNear', { title, place }) : title;
  },
  /** The heading of a list. Undefined: the number of its results is its heading. */
  results: ({ search }: { search?: string | undefined }, { category }: FilterNames): string | undefined =>
    search ? t('list.resultsFor', { search }) : category,
  get categories(): string {
    return t('list.browseCategories');
  },
  ad: (ad: Pick<Ad, 'title' | 'price' | 'priceType'>): string => `${ad.title} – ${toPriceText(ad)}`,
  seller: ({ displayName, username }: { displayName: string; username: string | null }): string =>
    `${displayName} (@${username})`,
  get adNotFound(): string {
    return t('list.adNotFound');
  },
  get sellerNotFound(): string {
    return t('list.sellerNotFound');
  },
  get rateLimited(): string {
    return t('shell.titleRateLimited');
  },
} as const;

export const getFixedTitle = (id: PageId, siteName: string): string | undefined => {
  const { title }: PageSpec = PAGES[id];
  return title && t(title, { site: siteName });
};

export const toDocumentTitle = (title: string, siteName: string): string => `${title} | ${siteName}`;

/**
 * The address of the list with these filters after these changes. The order is one of them, so links keep it. The list of
 * a category is at both paths: the home page, `from`, changes its own filters.
 */
export const toList = (filters: Filters, changes: Filters = {}, from?: string): string => {
  const query = new URLSearchParams(applyChanges(filters, changes));
  query.sort();
  return `${query.has('category') && from !== '/' ? '/categories' : '/'}${query.size > 0 ? `?${query}` : ''}`;
};
