import * as api from '../../../contract/ads.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { PRICE_RULES } from '../../../contract/prices.ts';
import * as searchApi from '../../../contract/search.ts';
import * as similarApi from '../../../contract/similar.ts';
import type { AppContext } from '../../app-context.ts';
import { route } from '../../endpoints/define.ts';
import { notFound } from '../../errors.ts';
import { type Actor, getUserId, maySeeAd } from '../../policy.ts';
import { presentCategory } from '../categories/presenter.ts';
import { toDistance } from '../places/distance.ts';
import { toAdListJson } from './ad-json-cache.ts';
import { isDataUrl, uploadDataUrls } from './data-urls.ts';
import { checkOwnAd, renewAd, setAdPaused } from './own-ads.ts';
import { presentAd, presentPrivateAd } from './presenter.ts';
import { countSavers, findDropPrice } from './prices-repository.ts';
import { findAd } from './repository.ts';
import { findAds } from './search/find-ads.ts';
import { proposeCategory } from './search/propose-category.ts';
import { listOtherIdsOfSeller, listSimilarIds } from './search/similar-repository.ts';
import { correctSearch, suggestCategories, suggestInCategories, suggestSearches } from './search/suggestions.ts';
import { createAd, deleteAd, updateAd } from './service.ts';
import { getViewCounter } from './view-counter.ts';

/** For the filter: a viewer who blocked people does not see their ads. */
const toViewerId = (actor: Actor): string | undefined =>
  actor.kind === 'user' && actor.hasBlocks ? actor.id : undefined;

export const adRoutes = [
  route(api.listAds, async ({ ctx, actor, query, reply }) => {
    const page = await findAds(ctx, query, toViewerId(actor));
    reply.page(page);
    if (page.match) reply.header('X-Search-Match', page.match);
    if (page.search !== undefined) reply.header('X-Search-Query', encodeURIComponent(page.search));
    const { filter } = page;
    const distances = page.chords?.map((chord) => (chord === null ? null : toDistance(chord, filter!.near!.unit)));
    return reply.json(await toAdListJson(ctx, page.ids, distances));
  }),

  route(api.createAd, async ({ ctx, actor, body, once }) => {
    const imageUrls = await uploadDataUrls(ctx, actor, body.imageUrls);
    return once(async (ctx) => {
      const { ad, post } = await createAd(ctx, actor, { ...body, imageUrls });
      return { ...presentPrivateAd(ad), ...post };
    });
  }),

  route(api.getAd, async ({ ctx, actor, params, reply }) => {
    const ad = await findAd(ctx.db, params.id);
    if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('errors.adNotFound');
    reply.onSend((viewer) => viewer.method === 'GET' && getViewCounter(ctx).count(actor, ad, viewer));
    return presentAd(ad, actor);
  }),

  route(api.updateAd, async ({ ctx, actor, params, body }) => {
    if (body.imageUrls.some(isDataUrl)) await checkOwnAd(ctx, actor, params.id);
    const imageUrls = await uploadDataUrls(ctx, actor, body.imageUrls);
    return presentPrivateAd(await updateAd(ctx, actor, params.id, { ...body, imageUrls }));
  }),

  route(api.deleteAd, async ({ ctx, actor, params }) => {
    await deleteAd(ctx, actor, params.id);
  }),

  route(api.setAdPaused, async ({ ctx, actor, params, body }) =>
    presentPrivateAd(await setAdPaused(ctx, actor, params.id, body.paused)),
  ),

  route(api.countSavers, async ({ ctx, actor, params }) => {
    const { price, price_type: type } = await checkOwnAd(ctx, actor, params.id);
    return {
      savers: await countSavers(ctx.db, params.id, LIMITS.countCap),
      dropPrice: PRICE_RULES[type].isForSale ? await findDropPrice(ctx.db, params.id, price) : null,
    };
  }),

  route(api.renewAd, async ({ ctx, actor, params }) => presentPrivateAd(await renewAd(ctx, actor, params.id))),
];

const findVisibleAd = async (ctx: AppContext, actor: Actor, id: string) => {
  const ad = await findAd(ctx.reads, id);
  if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('errors.adNotFound');
  return { ad, viewer: { viewerId: getUserId(actor) } };
};

export const similarRoutes = [
  route(similarApi.listSimilarAds, async ({ ctx, actor, params, reply }) => {
    const { ad, viewer } = await findVisibleAd(ctx, actor, params.id);
    return reply.json(await toAdListJson(ctx, await listSimilarIds(ctx, ad, viewer)));
  }),

  route(similarApi.listMoreFromSeller, async ({ ctx, actor, params, reply }) => {
    const { ad, viewer } = await findVisibleAd(ctx, actor, params.id);
    return reply.json(await toAdListJson(ctx, await listOtherIdsOfSeller(ctx.reads, ad, viewer)));
  }),
];

export const searchRoutes = [
  route(searchApi.suggestSearches, async ({ ctx, actor, query }) => {
    const [searches, categories] = await Promise.all([
      suggestSearches(ctx, query.search, toViewerId(actor)),
      suggestCategories(ctx, query.search),
    ]);
    const inCategories = await suggestInCategories(ctx, [query.search.trim(), ...searches], toViewerId(actor));
    return { searches, categories: categories.map(presentCategory), inCategories };
  }),

  route(searchApi.proposeCategory, async ({ ctx, query }) => ({
    categorySlug: await proposeCategory(ctx, query.title),
  })),

  route(searchApi.correctSearch, async ({ ctx, query }) => ({
    correction: (await correctSearch(ctx, query))?.search ?? null,
  })),
];
