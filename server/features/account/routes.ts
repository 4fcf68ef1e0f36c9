import * as api from '../../../contract/users.ts';
import { route } from '../../endpoints/define.ts';
import { exportUser } from './export.ts';
import { setLanguage } from './language.ts';
import { deleteMe } from './removal.ts';

export const accountRoutes = [
  route(api.exportMyData, async ({ ctx, actor, reply }) => {
    const document = await exportUser(ctx, actor, actor.id);
    reply.header('Content-Disposition', 'attachment; filename="my-data.json"');
    return reply.stream(document);
  }),

  route(api.setLanguage, async ({ ctx, actor, body }) => {
    await setLanguage(ctx, actor, body.language);
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
