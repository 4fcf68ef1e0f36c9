import * as api from '../../../contract/x-posting.ts';
import { route } from '../../http/endpoints/define.ts';
import { isSelf } from '../../policy.ts';
import { presentXPost } from './presenter.ts';
import { changeConsent, disconnectX, getXPosting, listAdPosts, retryPost } from './service.ts';
import { adUrl, buildPostText, NO_ID } from './text.ts';

export const xPostRoutes = [
  route(api.getXPosting, ({ app, actor }) => getXPosting(app, actor)),
  route(api.setXPosting, ({ app, actor, body }) => changeConsent(app, actor, body)),
  route(api.disconnectX, ({ app, actor }) => disconnectX(app, actor)),
  route(api.previewXPost, ({ app, body }) => ({
    text: buildPostText('ad', body, adUrl(app.config.publicUrl, NO_ID)),
  })),
  route(api.listXPosts, async ({ app, actor, params }) => {
    const posts = await listAdPosts(app, actor, params.id);
    return posts.map((post) => presentXPost(post, app.x.urls.web, isSelf(actor, post.user_id)));
  }),
  route(api.retryXPost, async ({ app, actor, params }) =>
    presentXPost(await retryPost(app, actor, params.id), app.x.urls.web, true),
  ),
];
