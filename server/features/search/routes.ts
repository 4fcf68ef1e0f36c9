import * as api from '../../../contract/search.ts';
import { route } from '../../http/endpoints/define.ts';
import { correctSearch, suggestCategories, suggestSearches } from './service.ts';

export const searchRoutes = [
  route(api.suggestSearches, async ({ app, query }) => {
    const [searches, categories] = await Promise.all([
      suggestSearches(app, query.search),
      suggestCategories(app, query.search),
    ]);
    return { searches, categories: categories.map(({ slug, name, emoji }) => ({ slug, name, emoji })) };
  }),

  route(api.correctSearch, async ({ app, query }) => ({ correction: await correctSearch(app, query) })),
];
