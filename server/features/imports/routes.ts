import * as api from '../../../contract/imports.ts';
import { route } from '../../endpoints/define.ts';
import { streamOwnAds } from './own-ads.ts';

export const importRoutes = [
  route(api.exportMyAds, ({ ctx, actor, reply }) => {
    reply.header('Content-Disposition', 'attachment; filename="my-ads.json"');
    return reply.stream(streamOwnAds(ctx, actor));
  }),
];
