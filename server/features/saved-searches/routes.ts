import * as api from '../../../contract/saved-searches.ts';
import { route } from '../../endpoints/define.ts';
import { listSavedSearches, type SavedSearchRow } from './repository.ts';
import { createSavedSearch, deleteSavedSearch, markSeen, updateSavedSearch } from './service.ts';

const presentSavedSearch = (row: SavedSearchRow): api.SavedSearch => ({
  id: row.id,
  name: row.name,
  frequency: row.frequency,
  filters: row.filters,
  newCount: row.new_count,
  createdAt: row.created_at,
});

export const savedSearchRoutes = [
  route(api.listSavedSearches, async ({ ctx, actor }) =>
    (await listSavedSearches(ctx.db, actor.id)).map(presentSavedSearch),
  ),

  route(api.createSavedSearch, ({ actor, body, once }) =>
    once(async (ctx) => presentSavedSearch(await createSavedSearch(ctx, actor, body))),
  ),

  route(api.updateSavedSearch, async ({ ctx, actor, params, body }) =>
    presentSavedSearch(await updateSavedSearch(ctx, actor, params.id, body)),
  ),

  route(api.deleteSavedSearch, ({ ctx, actor, params }) => deleteSavedSearch(ctx, actor, params.id)),

  route(api.markSavedSearchSeen, ({ ctx, actor, params }) => markSeen(ctx, actor, params.id)),
];
