import * as api from '../../../contract/admin.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { App } from '../../app-context.ts';
import { notFound } from '../../errors.ts';
import { route } from '../../http/endpoints/define.ts';
import { presentPrivateAd } from '../ads/presenter.ts';
import { findAd } from '../ads/repository.ts';
import { parseSearch } from '../ads/search/parse-search.ts';
import { findCategory } from '../categories/repository.ts';
import { readSettings } from '../settings/repository.ts';
import { presentAdminUser } from './presenter.ts';
import { findAdminUser, listAllAds, listUsers, readAdminStats } from './repository.ts';
import { banUser, deleteAnyAd, deleteUser, setAdStatus, unbanUser, updateSettings } from './service.ts';

const showUser = async ({ db }: App, id: string) => {
  const row = await findAdminUser(db, id);
  if (row === undefined) throw notFound('User not found');
  return presentAdminUser(row);
};

export const adminRoutes = [
  route(api.getAdminStats, ({ app }) => readAdminStats(app.db, app.config.timeZone)),

  route(api.listAdminUsers, async ({ app, query, reply }) => {
    const limit = query.limit ?? LIMITS.tableRows;
    const page = await listUsers(app.db, query, { cursor: query.cursor, limit });
    reply.page({ nextCursor: page.nextCursor });
    return page.rows.map(presentAdminUser);
  }),

  route(api.listAdminAds, async ({ app, query, reply }) => {
    const category = query.category ? await findCategory(app.db, query.category) : null;
    if (category === undefined) return [];
    const words = await parseSearch(app.db, query.search ?? '');
    const filter = { state: query.state, userId: query.userId, categoryId: category?.id, query: words };
    const limit = query.limit ?? LIMITS.tableRows;
    const page = await listAllAds(app.db, filter, { cursor: query.cursor, limit });
    reply.page({ nextCursor: page.nextCursor });
    return page.rows.map(presentPrivateAd);
  }),

  route(api.banUser, async ({ app, actor, params, body, request }) => {
    await banUser(app, actor, params.id, body?.reason, { requestId: request.id });
    return showUser(app, params.id);
  }),

  route(api.unbanUser, async ({ app, actor, params, request }) => {
    await unbanUser(app, actor, params.id, { requestId: request.id });
    return showUser(app, params.id);
  }),

  route(api.deleteUser, async ({ app, actor, params, request }) => {
    await deleteUser(app, actor, params.id, { requestId: request.id });
  }),

  route(api.setAdStatus, async ({ app, actor, params, body, request }) => {
    await setAdStatus(app, actor, params.id, body, { requestId: request.id });
    const ad = await findAd(app.db, params.id);
    if (ad === undefined || ad.state === 'deleted') throw notFound('Ad not found');
    return presentPrivateAd(ad);
  }),

  route(api.deleteAdAsAdmin, async ({ app, actor, params, request }) => {
    await deleteAnyAd(app, actor, params.id, { requestId: request.id });
  }),

  route(api.getSettings, ({ app }) => readSettings(app.db)),

  route(api.updateSettings, ({ app, actor, body, request }) =>
    updateSettings(app, actor, body, { requestId: request.id }),
  ),
];
