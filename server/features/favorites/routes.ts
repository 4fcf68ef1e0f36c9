import * as api from '../../../contract/favorites.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { route } from '../../endpoints/define.ts';
import { presentFavorite } from './presenter.ts';
import { listFavoriteIds, listFavorites } from './repository.ts';
import { getFavoriteStatus, toggleFavorite } from './service.ts';

const MAX_IDS = 1000;

export const favoriteRoutes = [
  route(api.getFavoriteStatus, async ({ ctx, actor, params }) => ({
    isFavorited: await getFavoriteStatus(ctx, actor, params.id),
  })),

  route(api.toggleFavorite, ({ ctx, actor, params }) => toggleFavorite(ctx, actor, params.id)),

  route(api.listFavorites, async ({ ctx, actor, query, reply }) => {
    const page = await listFavorites(ctx.db, actor.id, { ...query, limit: query.limit ?? LIMITS.tableRows });
    reply.page(page);
    return page.rows.map((row) => presentFavorite(row, actor));
  }),

  route(api.listFavoriteIds, ({ ctx, actor }) => listFavoriteIds(ctx.db, actor.id, MAX_IDS)),
];
