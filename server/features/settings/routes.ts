import * as api from '../../../contract/admin.ts';
import { route } from '../../endpoints/define.ts';
import { getSettings, updateSettings } from './service.ts';

export const settingsRoutes = [
  route(api.getSettings, ({ ctx, actor }) => getSettings(ctx, actor)),

  route(api.updateSettings, ({ ctx, actor, body, request }) =>
    updateSettings(ctx, actor, body, { requestId: request.id }),
  ),
];
