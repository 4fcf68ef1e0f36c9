import type { AdFilter } from '../../../contract/ads.ts';
import * as api from '../../../contract/ads.ts';
import { LIMITS } from '../../../contract/limits.ts';
import type { App } from '../../app-context.ts';
import { inShortTransaction } from '../../db/transaction.ts';
import { invalid, notFound } from '../../errors.ts';
import { route } from '../../http/endpoints/define.ts';
import { parseJson } from '../../http/uploads/json.ts';
import type { Upload } from '../../integrations/images/uploads.ts';
import { maySeeAd } from '../../policy.ts';
import { offerAdPost } from '../x-posts/outbox.ts';
import { presentAd, presentPrivateAd } from './presenter.ts';
import { findAd } from './repository.ts';
import { parseSearch } from './search/parse-search.ts';
import type { ListFilter } from './search/query-builder.ts';
import { createAd, deleteAd, renewAd, setAdSold, updateAd } from './service.ts';

/** Bodies of ads weigh megabytes: parsed and their pictures re-encoded in other processes, unless they bring none. */
const readAdBody = async (
  app: App,
  source: Buffer | string,
): Promise<{ json: unknown; attachment: Record<number, Upload> }> => {
  if (typeof source !== 'string' && !source.includes('data:')) return { json: parseJson(source), attachment: {} };
  const { json, uploads } = await app.images.parseAdBody(source, LIMITS.images);
  return { json, attachment: uploads };
};

/** Undefined for a category that does not exist: it filters to nothing. */
const readFilter = async ({ reads, categories }: App, query: AdFilter): Promise<ListFilter | undefined> => {
  const { minPrice, maxPrice } = query;
  if (minPrice && maxPrice && Number(minPrice) > Number(maxPrice))
    throw invalid({ minPrice: 'The lowest price is above the highest' });
  const category = query.category ? await categories.find(reads, query.category) : null;
  if (category === undefined) return undefined;
  return { categoryId: category?.id, minPrice, maxPrice, query: await parseSearch(reads, query.search ?? '') };
};

export const adRoutes = [
  route(api.listAds, async ({ app, query, reply }) => {
    const filter = await readFilter(app, query);
    if (filter === undefined) {
      reply.page({ nextCursor: null, total: { count: 0, isExact: true } });
      return [];
    }
    const page = await app.pricedPages.find(app.reads, filter, query);
    const { json, asOf } = await app.fragments.toJson(app.reads, page.ids);
    reply.page(page);
    reply.asOf(Math.min(page.asOf, asOf));
    return reply.json(json);
  }),

  route(
    api.createAd,
    async ({ app, actor, body, attachment, once }) =>
      once((db) =>
        inShortTransaction(db, async (trx) => {
          const ad = await createAd({ ...app, db: trx }, actor, body, attachment);
          return { ...presentPrivateAd(ad), ...(await offerAdPost(trx, app, ad, body.postToX)) };
        }),
      ),
    { readBody: readAdBody },
  ),

  route(api.getAd, async ({ app, actor, params, reply }) => {
    const ad = await findAd(app.db, params.id);
    if (ad === undefined || !maySeeAd(actor, ad)) throw notFound('Ad not found');
    reply.onSend((viewer) => viewer.method === 'GET' && app.views.count(actor, ad, viewer));
    return presentAd(ad, actor);
  }),

  route(
    api.updateAd,
    async ({ app, actor, params, body, attachment }) =>
      presentPrivateAd(await updateAd(app, actor, params.id, body, attachment)),
    { readBody: readAdBody },
  ),

  route(api.deleteAd, async ({ app, actor, params }) => {
    await deleteAd(app, actor, params.id);
  }),

  route(api.setAdSold, async ({ app, actor, params, body }) =>
    presentPrivateAd(await setAdSold(app, actor, params.id, body.isSold)),
  ),

  route(api.renewAd, async ({ app, actor, params }) => presentPrivateAd(await renewAd(app, actor, params.id))),
];
