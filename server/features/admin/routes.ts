import * as api from '../../../contract/admin.ts';
import { speaking } from '../../../contract/i18n.ts';
import type { Language } from '../../../contract/languages.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { readTexts } from '../../lib/catalogs.ts';
import type { Actor } from '../../policy.ts';
import { readUserAccess } from '../access/overview-repository.ts';
import { presentPrivateAd } from '../ads/presenter.ts';
import { type AdDetails, findAd } from '../ads/repository.ts';
import { parseSearch } from '../ads/search/parse-search.ts';
import { toWordFilter } from '../ads/search/resolve-filter.ts';
import { findCategory } from '../categories/repository.ts';
import { listCurrentDeals } from '../deals/deals-repository.ts';
import { presentUser } from '../users/presenter.ts';
import { listUsersByIds } from '../users/repository.ts';
import { presentAdminUser } from './presenter.ts';
import { type AdminUserRow, findAdminUser, listAllAds, listUsers, readAdminStats } from './repository.ts';
import { banUser, deleteAnyAd, deleteUser, setAdStatus, suspendUser, unbanUser, warnUser } from './service.ts';

interface Asking {
  ctx: AppContext;
  actor: Actor;
  language: Language;
}

const presentUsers = ({ ctx, actor, language }: Asking, rows: readonly AdminUserRow[]): api.AdminUser[] =>
  speaking(readTexts(language), () => rows.map((row) => presentAdminUser(row, actor, ctx.clock.now())));

const showUser = async (asking: Asking, id: string): Promise<api.AdminUser> => {
  const row = await findAdminUser(asking.ctx.db, id);
  if (row === undefined) throw notFound('errors.userNotFound');
  return presentUsers(asking, [row])[0]!;
};

/** Ads as staff see them: with the buyer. */
const presentAdminAds = async ({ db }: AppContext, rows: readonly AdDetails[]): Promise<api.AdminAd[]> => {
  const deals = await listCurrentDeals(
    db,
    rows.map(({ id }) => id),
  );
  const buyers = await listUsersByIds(
    db,
    deals.map((deal) => deal.buyer_id),
  );
  return rows.map((row) => {
    const deal = deals.find(({ ad_id }) => ad_id === row.id);
    const buyer = deal && buyers.find(({ id }) => id === deal.buyer_id);
    return { ...presentPrivateAd(row), ...(buyer && { buyer: presentUser(buyer) }) };
  });
};

export const adminRoutes = [
  route(api.getAdminStats, ({ ctx, language }) => readAdminStats(ctx.db, ctx.config.timeZone, language)),

  route(api.listAdminUsers, async ({ query, reply, ...asking }) => {
    const page = await listUsers(asking.ctx.db, query, { ...query, limit: query.limit ?? LIMITS.tableRows });
    reply.page(page);
    return presentUsers(asking, page.rows);
  }),

  route(api.listAdminAds, async ({ ctx, query, reply }) => {
    const category = query.category ? await findCategory(ctx.db, query.category) : null;
    if (category === undefined) return [];
    const words = toWordFilter(await parseSearch(ctx, ctx.db, query.search ?? ''));
    const filter = { state: query.state, userId: query.userId, categoryId: category?.id, ...words };
    const page = await listAllAds(ctx.db, filter, { ...query, limit: query.limit ?? LIMITS.tableRows });
    reply.page(page);
    return presentAdminAds(ctx, page.rows);
  }),

  route(api.banUser, async ({ ctx, actor, language, params, body, request }) => {
    await banUser(ctx, actor, params.id, body?.reason, { requestId: request.id });
    return showUser({ ctx, actor, language }, params.id);
  }),

  route(api.suspendUser, async ({ ctx, actor, language, params, body, request }) => {
    await suspendUser(ctx, actor, params.id, body, { requestId: request.id });
    return showUser({ ctx, actor, language }, params.id);
  }),

  route(api.warnUser, async ({ ctx, actor, language, params, body, request }) => {
    await warnUser(ctx, actor, params.id, body, { requestId: request.id });
    return showUser({ ctx, actor, language }, params.id);
  }),

  route(api.unbanUser, async ({ ctx, actor, language, params, request }) => {
    await unbanUser(ctx, actor, params.id, { requestId: request.id });
    return showUser({ ctx, actor, language }, params.id);
  }),

  route(api.getUserAccess, async ({ ctx, params }) => {
    const access = await readUserAccess(ctx.db, params.id);
    if (access === undefined) throw notFound('errors.userNotFound');
    return access;
  }),

  route(api.deleteUser, async ({ ctx, actor, params, request }) => {
    await deleteUser(ctx, actor, params.id, { requestId: request.id });
  }),

  route(api.setAdStatus, async ({ ctx, actor, params, body, request }) => {
    await setAdStatus(ctx, actor, params.id, body, { requestId: request.id });
    const ad = await findAd(ctx.db, params.id);
    if (ad === undefined || ad.state === 'deleted') throw notFound('errors.adNotFound');
    return (await presentAdminAds(ctx, [ad]))[0]!;
  }),

  route(api.deleteAdAsAdmin, async ({ ctx, actor, params, request }) => {
    await deleteAnyAd(ctx, actor, params.id, { requestId: request.id });
  }),
];
