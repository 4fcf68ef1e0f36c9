import { buildAdPage, buildEditAdPage } from './ad-page.ts';
import { buildCategoriesPage, buildHomePage } from './list-pages.ts';
import { notFoundPage } from './not-found.ts';
import type { BuildPage, PageContext, PageData } from './page-data.ts';
import { buildProfilePage } from './profile-page.ts';
import { formPage, privatePage, textPage } from './text-pages.ts';

const CONTACT = 'Questions, problems or ideas? Write to the people who run this marketplace.';
const HOW = 'Sign in with X, post an ad in minutes, talk to buyers directly and agree on the rest.';
const SAFETY = 'How to buy and sell safely: where to meet, how to pay, and which warning signs to know.';
const TERMS = 'The rules of this marketplace, in ten sections.';
const PRIVACY = 'What this marketplace stores about you, why, for how long, and how to get or delete it.';

const TABLE: readonly [pathname: string, build: BuildPage][] = [
  ['/', buildHomePage],
  ['/categories', buildCategoriesPage],
  ['/ads/:id', buildAdPage],
  ['/ads/:id/edit', buildEditAdPage],
  ['/users/:username', buildProfilePage],
  ['/create-ad', privatePage('create-ad', 'Post an Ad')],
  ['/dashboard', privatePage('dashboard', 'Dashboard')],
  ['/messages', privatePage('messages', 'Messages')],
  ['/messages/:adId/:otherUserId', privatePage('conversation', 'Conversation')],
  ['/admin', privatePage('admin', 'Administration')],
  ['/contact', formPage('contact', 'Contact Us', CONTACT)],
  ['/how-it-works', textPage('how-it-works', 'How It Works', HOW)],
  ['/safety-tips', textPage('safety-tips', 'Safety Tips', SAFETY)],
  ['/terms-of-service', textPage('terms-of-service', 'Terms of Service', TERMS)],
  ['/privacy', textPage('privacy', 'Privacy', PRIVACY)],
];
/** Every address that is a page, as in web/src/routes.tsx. */
const PAGES = TABLE.map(([pathname, build]) => ({ pattern: new URLPattern({ pathname }), build }));

/** What stands at a path, for this actor. */
export async function buildPage(path: string, context: Omit<PageContext, 'params'>): Promise<PageData> {
  for (const { pattern, build } of PAGES) {
    const match = pattern.exec({ pathname: path });
    if (match) return build({ ...context, params: decodeAll(match.pathname.groups) });
  }
  return notFoundPage();
}

function decodeAll(groups: Record<string, string | undefined>): Record<string, string> {
  const decode = (text = '') => {
    try {
      return decodeURIComponent(text);
    } catch {
      return '';
    }
  };
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}
