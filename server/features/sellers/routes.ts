import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/users.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { isSelf, maySeeHidden, maySeeProfile } from '../../policy.ts';
import { presentAd, presentPrivateAd, presentPublicAd } from '../ads/presenter.ts';
import { listSellerAds } from '../ads/repository.ts';
import { countFavorites } from '../favorites/repository.ts';
import { countFollowers } from '../follows/repository.ts';
import { presentUser } from '../users/presenter.ts';
import { findUserByHandle } from '../users/repository.ts';
import { countSellerAds, listTopAds } from './repository.ts';

const TOP_ADS = 5;

export const sellerRoutes = [
  route(api.getProfile, async ({ ctx, actor, params, query, reply }) => {
    const user = await findUserByHandle(ctx.db, params.username);
    if (user === undefined || !maySeeProfile(actor, user, ctx.clock.now())) throw notFound('errors.userNotFound');
    const isSold = query.status && query.status === 'sold';
    const limit = query.limit ?? LIMITS.tableRows;
    const [page, totals, followers] = await Promise.all([
      listSellerAds(ctx.db, user.id, { isPrivate: false, isSold, cursor: query.cursor, limit }),
      countSellerAds(ctx.db, user.id, false),
      isSelf(actor, user.id) ? countFollowers(ctx.db, user.id) : undefined,
    ]);
    reply.page(page);
    const person = presentUser(user);
    return {
      user: person,
      ads: page.rows.map(presentPublicAd),
      stats: { ...totals, joinDate: person.joinDate, ...(followers !== undefined && { followers }) },
    };
  }),

  route(api.listUserAds, async ({ ctx, actor, params, query, reply }) => {
    const isPrivate = maySeeHidden(actor, params.id);
    const paging = { ...query, limit: query.limit ?? LIMITS.tableRows };
    const page = await listSellerAds(ctx.db, params.id, { isPrivate, ...paging });
    reply.page(page);
    return page.rows.map((row) => presentAd(row, actor));
  }),

  route(api.getMyStats, async ({ ctx, actor }) => {
    const [totals, likedAds, followers, topAds] = await Promise.all([
      countSellerAds(ctx.db, actor.id, true),
      countFavorites(ctx.db, actor.id),
      countFollowers(ctx.db, actor.id),
      listTopAds(ctx.db, actor.id, TOP_ADS),
    ]);
    return { ...totals, likedAds, followers, topAds: topAds.map(presentPrivateAd) };
  }),
];
