import * as adsApi from '../../../contract/ads.ts';
import * as api from '../../../contract/deals.ts';
import * as expiryApi from '../../../contract/expiry.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { AppContext } from '../../app-context.ts';
import type { DealRow } from '../../db/rows.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import type { UserActor } from '../../policy.ts';
import { checkOwnAd } from '../ads/own-ads.ts';
import { presentAd, presentPrivateAd } from '../ads/presenter.ts';
import { listAdsByIds } from '../ads/repository.ts';
import { findNewestDeal, listDeals } from '../deals/deals-repository.ts';
import { listRatingsOfDeals } from '../ratings/repository.ts';
import { presentUser } from '../users/presenter.ts';
import { listUsersByIds } from '../users/repository.ts';
import { answerQuestion, getQuestion } from './expiry-questions.ts';
import { presentDeal, toOther } from './presenter.ts';
import { listBuyers } from './repository.ts';
import { releaseAd, reserveAd, setAdSold, undoPurchase } from './service.ts';

const presentDeals = async ({ db, clock }: AppContext, rows: readonly DealRow[], actor: UserActor) => {
  const [ads, users, ratings] = await Promise.all([
    listAdsByIds(db, [...new Set(rows.map((row) => row.ad_id))]),
    listUsersByIds(
      db,
      rows.map((row) => toOther(row, actor)),
    ),
    listRatingsOfDeals(
      db,
      rows.map(({ id }) => id),
    ),
  ]);
  const context = {
    ads: new Map(ads.map((ad) => [ad.id, ad])),
    users: new Map(users.map((user) => [user.id, user])),
    ratings: Object.groupBy(ratings, ({ deal_id }) => deal_id),
    now: clock.now().valueOf(),
  };
  return rows.map((row) => presentDeal(row, context, actor));
};

export const saleRoutes = [
  route(adsApi.setAdSold, async ({ ctx, actor, params, body }) =>
    presentPrivateAd(await setAdSold(ctx, actor, params.id, body)),
  ),

  route(api.reserveAd, async ({ ctx, actor, params, body }) =>
    presentPrivateAd(await reserveAd(ctx, actor, params.id, body.userId)),
  ),

  route(api.releaseAd, async ({ ctx, actor, params }) => presentAd(await releaseAd(ctx, actor, params.id), actor)),

  route(api.listBuyers, async ({ ctx, actor, params, query, reply }) => {
    await checkOwnAd(ctx, actor, params.id);
    const ad = { id: params.id, user_id: actor.id };
    const page = await listBuyers(ctx.db, ad, { ...query, limit: query.limit ?? LIMITS.pageSize });
    reply.page(page);
    return page.rows.map(presentUser);
  }),

  ...(['buyer', 'seller'] as const).map((role) =>
    route(role === 'buyer' ? api.listPurchases : api.listSales, async ({ ctx, actor, query, reply }) => {
      const page = await listDeals(ctx.db, actor.id, role, { ...query, limit: query.limit ?? LIMITS.pageSize });
      reply.page(page);
      return presentDeals(ctx, page.rows, actor);
    }),
  ),

  route(api.getDeal, async ({ ctx, actor, params }) => {
    const deal = await findNewestDeal(ctx.db, params.id, actor.id);
    if (deal === undefined) throw notFound('errors.dealNotFound');
    return (await presentDeals(ctx, [deal], actor))[0]!;
  }),

  route(api.undoPurchase, async ({ ctx, actor, params }) => {
    await undoPurchase(ctx, actor, params.dealId);
  }),
];

export const expiryRoutes = [
  route(expiryApi.getExpiryQuestion, ({ ctx, query }) => getQuestion(ctx, query.token)),

  route(expiryApi.answerExpiryQuestion, ({ ctx, body }) => answerQuestion(ctx, body.token, body.answer)),
];
