import * as api from '../../../contract/brand.ts';
import { route } from '../../endpoints/define.ts';
import { getBrand, removeLogo, resetBrand, setLogo, updateBrand } from './service.ts';

export const brandRoutes = [
  route(api.getBrand, ({ ctx, actor }) => getBrand(ctx, actor)),

  route(api.updateBrand, ({ ctx, actor, body, request }) => updateBrand(ctx, actor, body, { requestId: request.id })),

  route(api.resetBrand, ({ ctx, actor, request }) => resetBrand(ctx, actor, { requestId: request.id })),
  route(api.setLogo, ({ ctx, actor, readFile, request }) => setLogo(ctx, actor, readFile, { requestId: request.id })),

  route(api.removeLogo, ({ ctx, actor, request }) => removeLogo(ctx, actor, { requestId: request.id })),
];
