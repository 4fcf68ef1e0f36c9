import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/users.ts';
import { notFound } from '../../errors.ts';
import { route } from '../../http/endpoints/define.ts';
import { maySeePrivate, maySeeProfile } from '../../policy.ts';
import { presentAd, presentPrivateAd, presentPublicAd } from '../ads/presenter.ts';
import { listSellerAds } from '../ads/repository.ts';
import { countFavorites } from '../favorites/repository.ts';
import { presentUser } from './presenter.ts';
import { countSellerAds, findUserByHandle, listTopAds } from './repository.ts';
import { deleteMe, exportMyData } from './service.ts';

const TOP_ADS = 5;

export const userRoutes = [
  route(api.getProfile, async ({ app, actor, params, query, reply }) => {
    const user = await findUserByHandle(app.db, params.username);
    if (user === undefined || !maySeeProfile(actor, user)) throw notFound('User not found');
    const isSold = query.status && query.status === 'sold';
    const limit = query.limit ?? LIMITS.tableRows;
    const [page, totals] = await Promise.all([
      listSellerAds(app.db, user.id, { isPrivate: false, isSold, cursor: query.cursor, limit }),
      countSellerAds(app.db, user.id, false),
    ]);
    reply.page({ nextCursor: page.nextCursor });
    const person = presentUser(user);
    return { user: person, ads: page.rows.map(presentPublicAd), stats: { ...totals, joinDate: person.joinDate } };
  }),

  route(api.listUserAds, async ({ app, actor, params, query, reply }) => {
    const isPrivate = maySeePrivate(actor, params.id);
    const limit = query.limit ?? LIMITS.tableRows;
    const page = await listSellerAds(app.db, params.id, { isPrivate, cursor: query.cursor, limit });
    reply.page({ nextCursor: page.nextCursor });
    return page.rows.map((row) => presentAd(row, actor));
  }),

  route(api.getMyStats, async ({ app, actor }) => {
    const [totals, likedAds, topAds] = await Promise.all([
      countSellerAds(app.db, actor.id, true),
      countFavorites(app.db, actor.id),
      listTopAds(app.db, actor.id, TOP_ADS),
    ]);
    return { ...totals, likedAds, topAds: topAds.map(presentPrivateAd) };
  }),

  route(api.exportMyData, ({ app, actor, reply }) => {
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return exportMyData(app, actor);
  }),

  route(
    api.deleteMe,
    async ({ app, actor, request, session }) => {
      await deleteMe(app, actor, request.id);
      await session.end();
    },
    { session: true },
  ),
];
