import * as analytics from '../../../contract/analytics.ts';
import * as api from '../../../contract/stats.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { maySeeHidden } from '../../policy.ts';
import { findAd } from '../ads/repository.ts';
import { presentCategory } from '../categories/presenter.ts';
import { findCategory, listCategories } from '../categories/repository.ts';
import { readAnalytics, readViewsByDay } from './figures.ts';
import { countByCategory, readSiteStats } from './repository.ts';

export const statsRoutes = [
  route(api.getSiteStats, ({ ctx }) => readSiteStats(ctx.reads)),

  route(api.getCategoryStats, async ({ ctx }) => {
    const rows = await countByCategory(ctx.reads);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  }),

  route(api.listCategories, async ({ ctx }) => {
    const rows = await listCategories(ctx.reads);
    return rows.filter((row) => !row.is_disabled).map(presentCategory);
  }),

  route(api.getCategory, async ({ ctx, params }) => {
    const category = await findCategory(ctx.reads, params.slug);
    if (!category) throw notFound('errors.categoryNotFound');
    return presentCategory(category);
  }),

  route(analytics.getAnalytics, ({ ctx, query }) => readAnalytics(ctx, Number(query.days ?? 30))),

  route(analytics.getViewsByDay, async ({ ctx, actor, params, query }) => {
    const ad = await findAd(ctx.db, params.id);
    if (ad === undefined || ad.state === 'deleted' || !maySeeHidden(actor, ad.user_id))
      throw notFound('errors.adNotFound');
    return readViewsByDay(ctx, ad.id, Number(query.days ?? 30));
  }),
];
