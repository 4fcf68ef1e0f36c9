import { randomUUID } from 'node:crypto';
import type { BodyOf } from '../../../contract/endpoint.ts';
import { LIMITS } from '../../../contract/limits.ts';
import { listEventsOf, type updateWebhook as updateApi, type WebhookEvent } from '../../../contract/webhooks.ts';
import type { AppContext } from '../../app-context.ts';
import type { Page, Paging } from '../../db/pagination.ts';
import { getNow, type Trx } from '../../db/pools.ts';
import { inTransaction } from '../../db/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../../errors.ts';
import { isHttps, namesForbiddenAddress } from '../../integrations/public-request.ts';
import { enqueue } from '../../jobs/queue.ts';
import { type Actor, mayManageWebhooks } from '../../policy.ts';
import { type AuditContext, recordAudit } from '../audit/repository.ts';
import { lockActiveActor, lockActiveAdmin } from '../users/active-actor.ts';
import { lockUsers } from '../users/repository.ts';
import {
  beginAgain,
  type DeliveryRow,
  endDeliveries,
  listDeliveries,
  lockDelivery,
  SWITCHED_OFF,
} from './deliveries-repository.ts';
import { encryptSecret, hasKeys } from './secrets.ts';
import { type Sent, sendToReceiver } from './send.ts';
import { createSecret } from './signature.ts';
import {
  deleteWebhook as deleteRow,
  findWebhook,
  insertWebhook,
  listWebhooks as listRows,
  lockSiteWebhooks,
  lockWebhook,
  takeWebhookId,
  updateWebhook as updateRow,
  type WebhookChange,
  type WebhookRow,
} from './webhooks-repository.ts';

/** A webhook with its secret, which is readable this once. */
export interface SecretWebhook {
  row: WebhookRow;
  secret: string;
}

type NewWebhook = Pick<WebhookRow, 'url' | 'events' | 'format'>;

/** The webhooks of a person, or with null those of the marketplace. @throws {AppError} forbidden */
export const listWebhooks = async (ctx: AppContext, actor: Actor, ownerId: string | null): Promise<WebhookRow[]> => {
  checkOwner(actor, ownerId);
  return listRows(ctx.db, ownerId);
};

const checkOwner = (actor: Actor, ownerId: string | null): void => {
  if (!mayManageWebhooks(actor, ownerId)) throw forbidden('errors.adminsOnly');
};

/** Locks who may change what is theirs. @throws {AppError} */
const lockOwner = async (trx: Trx, actor: Actor, ownerId: string | null): Promise<void> => {
  if (ownerId === null) return lockActiveAdmin(trx, actor);
  const [owner] = await lockUsers(trx, [ownerId]);
  if (actor.kind === 'user') await lockActiveActor(trx, actor);
  if (owner === undefined || owner.deleted_at !== null) throw notFound('errors.userNotFound');
};

const checkUrl = (url: string, { config }: AppContext): void => {
  const isAllowed = isHttps(url) || !config.isProduction;
  if (!isAllowed || namesForbiddenAddress(url, !config.isProduction)) throw invalid({ url: 'errors.publicAddress' });
};

const checkEvents = (events: readonly WebhookEvent[], ownerId: string | null): void => {
  const known = listEventsOf(ownerId === null ? 'site' : 'me');
  const unknown = events.filter((event) => !known.includes(event));
  if (unknown.length > 0)
    throw invalid({ events: { key: 'errors.unknownEvents', values: { events: unknown.join(', ') } } });
};

const record = async (
  trx: Trx,
  actor: Actor,
  { user_id, id, host }: WebhookRow,
  action: string,
  { reason, requestId }: AuditContext,
): Promise<void> => {
  const details = { host, userId: user_id, reason };
  await recordAudit(trx, actor, {
    action: `webhook.${action}`,
    target: ['webhook', id],
    details,
    ...(requestId && { requestId }),
  });
};

const checkKeys = ({ config }: AppContext): void => {
  if (!hasKeys(config)) throw conflict('errors.noWebhooks');
};

/**
 * Adds a webhook of a person, or with null one of the marketplace. @throws {AppError} validation_failed, forbidden,
 * conflict (LIMITS.webhooks; no key)
 */
export const createWebhook = (
  ctx: AppContext,
  actor: Actor,
  ownerId: string | null,
  { url, events, format }: NewWebhook,
  audit: AuditContext = {},
): Promise<SecretWebhook> =>
  inTransaction(ctx.db, async (trx) => {
    checkOwner(actor, ownerId);
    checkKeys(ctx);
    checkUrl(url, ctx);
    checkEvents(events, ownerId);
    if (ownerId === null) await lockSiteWebhooks(trx);
    await lockOwner(trx, actor, ownerId);
    if ((await listRows(trx, ownerId)).length >= LIMITS.webhooks)
      throw conflict('errors.webhooksFull', { max: LIMITS.webhooks });
    const id = await takeWebhookId(trx);
    const secret = createSecret();
    const row = await insertWebhook(trx, {
      id,
      user_id: ownerId,
      url,
      host: new URL(url).host,
      events,
      format,
      ...encryptSecret(ctx.config, id, secret),
    });
    await record(trx, actor, row, 'create', audit);
    return { row, secret };
  });

/** Runs work on a webhook that the actor may change. @throws {AppError} not_found, also for another person's */
const change = <R>(
  ctx: AppContext,
  actor: Actor,
  id: string,
  work: (trx: Trx, row: WebhookRow) => Promise<R>,
): Promise<R> =>
  inTransaction(ctx.db, async (trx) => {
    const { user_id } = await find(ctx, actor, id);
    await lockOwner(trx, actor, user_id);
    const row = await lockWebhook(trx, id);
    if (row === undefined) throw notFound('errors.webhookNotFound');
    return work(trx, row);
  });

const find = async (ctx: AppContext, actor: Actor, id: string): Promise<WebhookRow> => {
  const row = await findWebhook(ctx.db, id);
  if (row === undefined || !mayManageWebhooks(actor, row.user_id)) throw notFound('errors.webhookNotFound');
  return row;
};

const toChange = (row: WebhookRow, { url, events, format, isOn }: BodyOf<typeof updateApi>): WebhookChange => ({
  ...(url !== undefined && { url, host: new URL(url).host, failing_since: null, held_until: null }),
  ...(events && { events }),
  ...(format && { format }),
  ...(isOn === true && { is_on: true, off_reason: null, ...(!row.is_on && { failing_since: null, held_until: null }) }),
  ...(isOn === false && row.is_on && { is_on: false, off_reason: 'owner' as const }),
});

/** Changes a webhook, or switches it off or on. Switched off, what waits for it ends. @throws {AppError} */
export const updateWebhook = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  body: BodyOf<typeof updateApi>,
  audit: AuditContext = {},
): Promise<WebhookRow> =>
  change(ctx, actor, id, async (trx, before) => {
    if (body.url !== undefined) checkUrl(body.url, ctx);
    if (body.events) checkEvents(body.events, before.user_id);
    const changes = toChange(before, body);
    if (Object.keys(changes).length === 0) return before;
    const row = await updateRow(trx, id, changes);
    if (!row.is_on) await endDeliveries(trx, [id], SWITCHED_OFF);
    const action = before.is_on === row.is_on ? 'update' : row.is_on ? 'switch_on' : 'switch_off';
    await record(trx, actor, row, action, audit);
    return row;
  });

export const deleteWebhook = (ctx: AppContext, actor: Actor, id: string, audit: AuditContext = {}): Promise<void> =>
  change(ctx, actor, id, async (trx, row) => {
    await deleteRow(trx, id);
    await record(trx, actor, row, 'delete', audit);
  });

/** Makes a new secret. The former one signs as well until LIMITS.webhookSecretHours have passed. */
export const changeSecret = (
  ctx: AppContext,
  actor: Actor,
  id: string,
  audit: AuditContext = {},
): Promise<SecretWebhook> =>
  change(ctx, actor, id, async (trx, before) => {
    checkKeys(ctx);
    const secret = createSecret();
    const row = await updateRow(trx, id, {
      ...encryptSecret(ctx.config, id, secret),
      former_secret: before.secret,
      former_key_id: before.key_id,
      former_until: new Date(getNow(trx).valueOf() + LIMITS.webhookSecretHours * 3_600_000).toISOString(),
    });
    await record(trx, actor, row, 'change_secret', audit);
    return { row, secret };
  });

/** Sends an event of type webhook.test now, also while the webhook is off. It is not in the log. @throws {AppError} not_found */
export const testWebhook = async (ctx: AppContext, actor: Actor, id: string): Promise<Sent> => {
  const row = await find(ctx, actor, id);
  const isChanging = row.former_until !== null && new Date(row.former_until) > ctx.clock.now();
  const at = ctx.clock.now().toISOString();
  const language = row.user_id !== null && actor.kind === 'user' ? (actor.language ?? null) : null;
  return sendToReceiver(ctx, { ...row, isChanging, language }, `msg_${randomUUID().replaceAll('-', '')}`, {
    type: 'webhook.test',
    data: {},
    at,
    adTitle: null,
  });
};

/** What was sent to a webhook, newest first. @throws {AppError} not_found */
export const listWebhookDeliveries = async (
  ctx: AppContext,
  actor: Actor,
  id: string,
  paging: Paging,
): Promise<Page<DeliveryRow>> => {
  await find(ctx, actor, id);
  return listDeliveries(ctx.db, id, paging);
};

/** Sends a delivery again, as if it were new, under its own id. @throws {AppError} not_found, conflict (off, or under way) */
export const resendDelivery = (ctx: AppContext, actor: Actor, id: string, deliveryId: string): Promise<DeliveryRow> =>
  change(ctx, actor, id, async (trx, webhook) => {
    const delivery = await lockDelivery(trx, id, deliveryId);
    if (delivery === undefined) throw notFound('errors.deliveryNotFound');
    if (!webhook.is_on) throw conflict('errors.webhookOff');
    if (delivery.status === 'sending') throw conflict('errors.beingSent');
    const row = await beginAgain(trx, deliveryId);
    await enqueue(trx, 'send-webhooks', {});
    return row;
  });
