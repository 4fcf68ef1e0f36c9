import * as api from '../../../contract/users.ts';
import { route } from '../../http/endpoints/define.ts';
import { deleteMe, exportMyData } from './service.ts';

export const accountRoutes = [
  route(api.exportMyData, ({ ctx, actor, reply }) => {
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return exportMyData(ctx, actor);
  }),

  route(
    api.deleteMe,
    async ({ ctx, actor, request, session }) => {
      await deleteMe(ctx, actor, { requestId: request.id });
      await session.end();
    },
    { session: true },
  ),
];
