import * as api from '../../../contract/search.ts';
import { route } from '../../http/endpoints/define.ts';
import { correctSearch, suggestCategories, suggestSearches } from './service.ts';

export const searchRoutes = [
  route(api.suggestSearches, async ({ ctx, query }) => {
    const [searches, categories] = await Promise.all([
      suggestSearches(ctx, query.search),
      suggestCategories(ctx, query.search),
    ]);
    return { searches, categories: categories.map(({ slug, name, emoji }) => ({ slug, name, emoji })) };
  }),

  route(api.correctSearch, async ({ ctx, query }) => ({ correction: await correctSearch(ctx, query) })),
];
