import { type DataPageId, getFixedTitle, PAGES, type PageId, type PageSpec } from '../../../contract/pages.ts';
import { buildAdPage, buildEditAdPage, buildProfilePage } from './detail-pages.ts';
import { buildCategoriesPage, buildHomePage } from './list-pages.ts';
import { type BuildPage, type PageContext, type PageData, toMissingPage } from './page-context.ts';

const BUILDERS: Record<DataPageId, BuildPage> & Partial<Record<PageId, BuildPage>> = {
  home: buildHomePage,
  categories: buildCategoriesPage,
  'ad-detail': buildAdPage,
  'edit-ad': buildEditAdPage,
  'seller-profile': buildProfilePage,
};

const PATTERNS = (Object.keys(PAGES) as PageId[]).map((id) => ({
  id,
  pattern: new URLPattern({ pathname: PAGES[id].path }),
}));

export interface BuiltPage extends PageData {
  id: PageId;
  clientOnly: boolean;
}

export async function buildPage(path: string, context: Omit<PageContext, 'params' | 'title'>): Promise<BuiltPage> {
  for (const { id, pattern } of PATTERNS) {
    const match = pattern.exec({ pathname: path });
    if (!match) continue;
    const title = getFixedTitle(id, context.config.siteName) ?? '';
    const data = await (BUILDERS[id]?.({ ...context, title, params: decodeParams(match.pathname.groups) }) ??
      toFixedPage(id, title));
    return { ...data, id, clientOnly: (PAGES[id] as PageSpec).clientOnly === true };
  }
  throw new Error('the page "*" matches every path');
}

function toFixedPage(id: PageId, title: string): PageData {
  if (id === 'not-found') return toMissingPage(title);
  const { description } = PAGES[id] as PageSpec;
  const noindex = description === undefined;
  return { head: { title, description: description ?? title, canonical: `/${id}`, noindex }, data: [] };
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  const decode = (text = '') => {
    try {
      return decodeURIComponent(text);
    } catch {
      return '';
    }
  };
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}
