import * as analytics from '../../../contract/analytics.ts';
import * as api from '../../../contract/stats.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { maySeeHidden } from '../../policy.ts';
import { findAd } from '../ads/repository.ts';
import { nameIn } from '../categories/names.ts';
import { presentCategory } from '../categories/presenter.ts';
import { findCategory, listCategories } from '../categories/repository.ts';
import { readAnalytics, readViewsByDay } from './figures.ts';
import { countByCategory, readSiteStats } from './repository.ts';

export const statsRoutes = [
  route(api.getSiteStats, ({ ctx }) => readSiteStats(ctx.reads)),

  route(api.getCategoryStats, async ({ ctx, query: { by = 'name' } }) => {
    const rows = await countByCategory(ctx.reads);
    return Object.fromEntries(rows.map(({ count, ...row }) => [row[by], count]));
  }),

  route(api.listCategories, async ({ ctx, query }) => {
    const rows = (await listCategories(ctx.reads)).filter((row) => !row.is_disabled);
    return (await nameIn(ctx.reads, rows, query.language)).map(presentCategory);
  }),

  route(api.getCategory, async ({ ctx, params, query }) => {
    const category = await findCategory(ctx.reads, params.slug);
    if (!category) throw notFound('errors.categoryNotFound');
    const [named = category] = await nameIn(ctx.reads, [category], query.language);
    return presentCategory(named);
  }),

  route(analytics.getAnalytics, ({ ctx, query }) => readAnalytics(ctx, Number(query.days ?? 30))),

  route(analytics.getViewsByDay, async ({ ctx, actor, params, query }) => {
    const ad = await findAd(ctx.db, params.id);
    if (ad === undefined || ad.state === 'deleted' || !maySeeHidden(actor, ad.user_id))
      throw notFound('errors.adNotFound');
    return readViewsByDay(ctx, ad.id, Number(query.days ?? 30));
  }),
];
