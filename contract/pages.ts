import { formatPrice } from './format-price.ts';

export interface PageSpec {
  /** Below the site's address; `:name` is a parameter, `*` any other path. */
  path: string;
  /** Title of a page whose title does not depend on its data; `{site}` is the site's name. */
  title?: string;
  /** For search engines. A page with a fixed title and no description is private and not indexed. */
  description?: string;
  /** Rendered in the browser only: it shows drafts or the reader's own data, or its form needs scripts. */
  clientOnly?: true;
}

/**
 * Every page of the site by the name of its file in web/src/pages. The router (web/src/routes.tsx) and the server
 * (server/http/pages/pages.ts) are typed by this table: a page that is missing there does not compile.
 */
export const PAGES = {
  home: { path: '/' },
  categories: { path: '/categories' },
  'ad-detail': { path: '/ads/:id' },
  'edit-ad': { path: '/ads/:id/edit', title: 'Edit Your Ad', clientOnly: true },
  'seller-profile': { path: '/users/:username' },
  'create-ad': { path: '/create-ad', title: 'Post a New Ad', clientOnly: true },
  dashboard: { path: '/dashboard', title: 'Dashboard', clientOnly: true },
  messages: { path: '/messages', title: 'Messages', clientOnly: true },
  conversation: { path: '/messages/:adId/:otherUserId', title: 'Conversation', clientOnly: true },
  admin: { path: '/admin', title: 'Administration', clientOnly: true },
  'how-it-works': {
    path: '/how-it-works',
    title: 'How {site} Works',
    description: 'Sign in with X, post an ad in minutes, talk to buyers directly and agree on the rest.',
  },
  'safety-tips': {
    path: '/safety-tips',
    title: 'Safety Tips',
    description: 'How to buy and sell safely: where to meet, how to pay, and which warning signs to know.',
  },
  contact: {
    path: '/contact',
    title: 'Contact Us',
    description: 'Questions, problems or ideas? Write to the people who run this marketplace.',
    clientOnly: true,
  },
  'terms-of-service': {
    path: '/terms-of-service',
    title: 'Terms of Service',
    description: 'The rules of this marketplace, in ten sections.',
  },
  privacy: {
    path: '/privacy',
    title: 'Privacy Policy',
    description: 'What this marketplace stores about you, why, for how long, and how to get or delete it.',
  },
  'not-found': { path: '*', title: 'Page Not Found', description: 'There is nothing at this address.' },
} as const satisfies Record<string, PageSpec>;

export type PageId = keyof typeof PAGES;
/** Pages whose title depends on their data: the server has a function for each. */
export type DataPageId = { [Id in PageId]: (typeof PAGES)[Id] extends { title: string } ? never : Id }[PageId];

/** Titles that depend on data, without the site's name. */
export const TITLES = {
  home: ({ search, category }: { search?: string | undefined; category?: string | undefined }): string =>
    search ? `“${search}”` : (category ?? 'Browse ads'),
  categories: 'Browse Categories',
  category: (name: string): string => `${name} ads`,
  ad: ({ title, price }: { title: string; price: string }): string => `${title} – ${formatPrice(price)}`,
  seller: ({ displayName, username }: { displayName: string; username: string | null }): string =>
    `${displayName} (@${username})`,
  adNotFound: 'Ad not found',
  sellerNotFound: 'User Not Found',
} as const;

/** The fixed title of a page; undefined where the title depends on data. */
export const getFixedTitle = (id: PageId, siteName: string): string | undefined =>
  (PAGES[id] as PageSpec).title?.replace('{site}', siteName);

/** What the document's title says on every page. */
export const toDocumentTitle = (title: string, siteName: string): string => `${title} | ${siteName}`;
