import * as api from '../../../contract/page-texts.ts';
import { route } from '../../endpoints/define.ts';
import { getPage, getPageVersion, previewPage, readPageText, resetPage, restorePage, updatePage } from './service.ts';

export const pageRoutes = [
  route(api.readPageText, ({ ctx, params, query }) => readPageText(ctx, params.page, query.language)),

  route(api.getPage, ({ ctx, actor, params, query }) => getPage(ctx, actor, { ...params, ...query })),
  route(api.getPageVersion, ({ ctx, actor, params: { id, page }, query }) =>
    getPageVersion(ctx, actor, { page, ...query }, id),
  ),

  route(api.previewPage, ({ ctx, actor, query, body }) => previewPage(ctx, actor, body.text, query.language)),

  route(api.updatePage, ({ ctx, actor, params, query, body, request }) =>
    updatePage(ctx, actor, { ...params, ...query }, body, { requestId: request.id }),
  ),

  route(api.restorePage, ({ ctx, actor, params, query, body, request }) =>
    restorePage(ctx, actor, { ...params, ...query }, body, { requestId: request.id }),
  ),

  route(api.resetPage, ({ ctx, actor, params, query, request }) =>
    resetPage(ctx, actor, { ...params, ...query }, { requestId: request.id }),
  ),
];
