import * as api from '../../../contract/stats.ts';
import { route } from '../../http/endpoints/define.ts';
import { listCategories } from '../categories/repository.ts';
import { countByCategory, readSiteStats } from './repository.ts';

export const statsRoutes = [
  route(api.getSiteStats, ({ ctx }) => readSiteStats(ctx.reads)),

  route(api.getCategoryStats, async ({ ctx }) => {
    const rows = await countByCategory(ctx.reads);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }),

  route(api.listCategories, async ({ ctx }) => {
    const rows = await listCategories(ctx.reads);
    return rows.filter((row) => !row.is_disabled).map(({ slug, name, emoji }) => ({ slug, name, emoji }));
  }),
];
