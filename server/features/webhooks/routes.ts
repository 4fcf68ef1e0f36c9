import { speaking } from '../../../contract/i18n.ts';
import { LIMITS } from '../../../contract/limits.ts';
import * as api from '../../../contract/webhooks.ts';
import { type Route, route } from '../../endpoints/define.ts';
import { say } from '../../error-phrases.ts';
import { readTexts } from '../../lib/catalogs.ts';
import type { UserActor } from '../../policy.ts';
import { presentDelivery, presentWebhook } from './presenter.ts';
import {
  changeSecret,
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendDelivery,
  testWebhook,
  updateWebhook,
} from './service.ts';

const toOwner = (actor: UserActor, of: api.WebhookOwner | undefined): string | null =>
  of === 'site' ? null : actor.id;

export const webhookRoutes: readonly Route[] = [
  route(api.listWebhooks, async ({ ctx, actor, query }) => {
    const rows = await listWebhooks(ctx, actor, toOwner(actor, query.of));
    return rows.map((row) => presentWebhook(row, ctx.clock.now()));
  }),

  route(api.createWebhook, async ({ ctx, actor, request, body: { of, format = 'standard', ...body } }) => {
    const audit = { requestId: request.id };
    const { row, secret } = await createWebhook(ctx, actor, toOwner(actor, of), { ...body, format }, audit);
    return { ...presentWebhook(row, ctx.clock.now()), secret };
  }),

  route(api.updateWebhook, async ({ ctx, actor, request, params, body }) =>
    presentWebhook(await updateWebhook(ctx, actor, params.id, body, { requestId: request.id }), ctx.clock.now()),
  ),

  route(api.deleteWebhook, ({ ctx, actor, request, params }) =>
    deleteWebhook(ctx, actor, params.id, { requestId: request.id }),
  ),

  route(api.changeWebhookSecret, async ({ ctx, actor, request, params }) => {
    const { row, secret } = await changeSecret(ctx, actor, params.id, { requestId: request.id });
    return { ...presentWebhook(row, ctx.clock.now()), secret };
  }),

  route(api.testWebhook, async ({ ctx, actor, language, params }) => {
    const { status, error, durationMs } = await testWebhook(ctx, actor, params.id);
    const said = error && speaking(readTexts(language), () => say(error));
    return { isDelivered: error === null, responseStatus: status, error: said, durationMs };
  }),

  route(api.listWebhookDeliveries, async ({ ctx, actor, language, params, query, reply }) => {
    const paging = { cursor: query.cursor, limit: query.limit ?? LIMITS.pageSize };
    const { rows, nextCursor } = await listWebhookDeliveries(ctx, actor, params.id, paging);
    reply.page({ nextCursor });
    return speaking(readTexts(language), () => rows.map(presentDelivery));
  }),

  route(api.resendWebhookDelivery, async ({ ctx, actor, language, params }) => {
    const row = await resendDelivery(ctx, actor, params.id, params.deliveryId);
    return speaking(readTexts(language), () => presentDelivery(row));
  }),
];
