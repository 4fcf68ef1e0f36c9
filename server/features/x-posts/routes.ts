import * as api from '../../../contract/x-posting.ts';
import { route } from '../../endpoints/define.ts';
import { isSelf } from '../../policy.ts';
import { presentXPost } from './presenter.ts';
import { changeConsent, disconnectX, getXPosting, listAdPosts, retryPost } from './service.ts';
import { buildPost, NO_ID } from './text.ts';

export const xPostRoutes = [
  route(api.getXPosting, ({ ctx, actor }) => getXPosting(ctx, actor)),
  route(api.setXPosting, ({ ctx, actor, body }) => changeConsent(ctx, actor, body)),
  route(api.disconnectX, ({ ctx, actor }) => disconnectX(ctx, actor)),
  route(api.previewXPost, ({ ctx, body }) => ({
    text: buildPost(ctx.config, 'ad', { ...body, id: NO_ID }),
  })),
  route(api.listXPosts, async ({ ctx, actor, params }) => {
    const posts = await listAdPosts(ctx, actor, params.id);
    return posts.map((post) => presentXPost(post, ctx.x.urls.web, isSelf(actor, post.user_id)));
  }),
  route(api.retryXPost, async ({ ctx, actor, params }) =>
    presentXPost(await retryPost(ctx, actor, params.id), ctx.x.urls.web, true),
  ),
];
