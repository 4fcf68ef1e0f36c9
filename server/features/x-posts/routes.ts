import { speaking } from '../../../contract/i18n.ts';
import * as api from '../../../contract/x-posting.ts';
import { route } from '../../endpoints/define.ts';
import { readTexts } from '../../lib/catalogs.ts';
import { isSelf } from '../../policy.ts';
import { presentXPost } from './presenter.ts';
import type { PostDetails } from './repository.ts';
import { changeConsent, disconnectX, getXPosting, listAdPosts, retryPost } from './service.ts';
import { buildPost, NO_ID } from './text.ts';

export const xPostRoutes = [
  route(api.getXPosting, ({ ctx, actor }) => getXPosting(ctx, actor)),
  route(api.setXPosting, ({ ctx, actor, body }) => changeConsent(ctx, actor, body)),
  route(api.disconnectX, ({ ctx, actor }) => disconnectX(ctx, actor)),
  route(api.previewXPost, ({ ctx, body }) => ({
    text: buildPost(ctx.config, 'ad', { ...body, id: NO_ID }),
  })),
  route(api.listXPosts, async ({ ctx, actor, language, params }) => {
    const posts = await listAdPosts(ctx, actor, params.id);
    const present = (post: PostDetails) => presentXPost(post, ctx.x.urls.web, isSelf(actor, post.user_id));
    return speaking(readTexts(language), () => posts.map(present));
  }),
  route(api.retryXPost, async ({ ctx, actor, language, params }) => {
    const post = await retryPost(ctx, actor, params.id);
    return speaking(readTexts(language), () => presentXPost(post, ctx.x.urls.web, true));
  }),
];
