import * as api from '../../../contract/stats.ts';
import { route } from '../../http/endpoints/define.ts';
import { listCategories } from '../categories/repository.ts';
import { countByCategory, readSiteStats } from './repository.ts';

export const statsRoutes = [
  route(api.getSiteStats, ({ app }) => readSiteStats(app.reads)),

  route(api.getCategoryStats, async ({ app }) => {
    const rows = await countByCategory(app.reads);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }),

  route(api.listCategories, async ({ app }) => {
    const rows = await listCategories(app.reads);
    return rows.filter((row) => !row.is_disabled).map(({ slug, name, emoji }) => ({ slug, name, emoji }));
  }),
];
