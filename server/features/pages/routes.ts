import * as api from '../../../contract/page-texts.ts';
import { route } from '../../endpoints/define.ts';
import { getPage, getPageVersion, previewPage, readPageText, resetPage, restorePage, updatePage } from './service.ts';

export const pageRoutes = [
  route(api.readPageText, ({ ctx, params }) => readPageText(ctx, params.page)),

  route(api.getPage, ({ ctx, actor, params }) => getPage(ctx, actor, params.page)),
  route(api.getPageVersion, ({ ctx, actor, params }) => getPageVersion(ctx, actor, params.page, params.id)),

  route(api.previewPage, ({ ctx, actor, body }) => previewPage(ctx, actor, body.text)),

  route(api.updatePage, ({ ctx, actor, params, body, request }) =>
    updatePage(ctx, actor, params.page, body, { requestId: request.id }),
  ),

  route(api.restorePage, ({ ctx, actor, params, body, request }) =>
    restorePage(ctx, actor, params.page, body, { requestId: request.id }),
  ),

  route(api.resetPage, ({ ctx, actor, params, request }) =>
    resetPage(ctx, actor, params.page, { requestId: request.id }),
  ),
];
