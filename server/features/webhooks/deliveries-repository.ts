import { LIMITS } from '../../../contract/limits.ts';
import type { SubjectOf, WebhookEvent } from '../../../contract/webhooks.ts';
import { type Page, type Paging, readPage } from '../../db/pagination.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { Tables } from '../../db/tables.ts';
import { type ErrorPhrase, toEnglish } from '../../error-phrases.ts';
import { SPOKEN_LANGUAGE, selectShutOut } from '../users/repository.ts';
import type { WebhookRow } from './webhooks-repository.ts';

export type DeliveryRow = Tables['webhook_deliveries'];

export const listDeliveries = (db: Db, webhookId: string, paging: Paging): Promise<Page<DeliveryRow>> =>
  readPage(db('webhook_deliveries').where({ webhook_id: webhookId }), paging);

export const lockDelivery = (trx: Trx, webhookId: string, id: string): Promise<DeliveryRow | undefined> =>
  trx<DeliveryRow>('webhook_deliveries').where({ id, webhook_id: webhookId }).forUpdate().first();

/** Begins the attempts of a delivery again. */
export const beginAgain = async (trx: Trx, id: string): Promise<DeliveryRow> => {
  const [row] = await trx<DeliveryRow>('webhook_deliveries')
    .where({ id })
    .update({ status: 'waiting', attempts: 0, next_at: trx.fn.now() as never })
    .returning('*');
  return row!;
};

/** Nothing is sent to these webhooks any more. An attempt that runs has no effect on the log. */
export const endDeliveries = async (trx: Trx, webhookIds: readonly string[], why: ErrorPhrase): Promise<void> => {
  await trx.raw(
    `update webhook_deliveries set status = 'failed', next_at = null, error = ?, error_phrase = ?
     where webhook_id = any(?::bigint[]) and next_at is not null`,
    [toEnglish(why), JSON.stringify(why), [...webhookIds]],
  );
};

export const SWITCHED_OFF = { key: 'webhooks.wasSwitchedOff' } as const;
const RESTORED = { key: 'webhooks.wasRestored' } as const;

/** Switches off the webhooks of a person, who may switch on again what they know. Returns how many. */
export const switchOffWebhooksOf = async (trx: Trx, userId: string): Promise<number> => {
  const off = await trx('webhooks')
    .where({ user_id: userId, is_on: true })
    .update({ is_on: false, off_reason: 'owner' })
    .returning<{ id: string }[]>('id');
  const ids = off.map(({ id }) => id);
  await endDeliveries(trx, ids, SWITCHED_OFF);
  return ids.length;
};

/** After a restore: what waits in a backup was sent since, or is out of date. */
export const endRestoredDeliveries = async (trx: Trx): Promise<void> => {
  await trx('webhook_deliveries')
    .whereNotNull('next_at')
    .update({
      status: 'failed',
      next_at: null,
      error: toEnglish(RESTORED),
      error_phrase: JSON.stringify(RESTORED),
    });
};

/** SQL: `waiting (id)`, the webhooks with open deliveries: a step of the index for each, however many it has. */
const WAITING = `waiting (id) as (
    (select webhook_id from webhook_deliveries where next_at is not null order by webhook_id limit 1)
    union all
    select (select d.webhook_id from webhook_deliveries d where d.next_at is not null and d.webhook_id > w.id
      order by d.webhook_id limit 1)
    from waiting w where w.id is not null
  )`;

/** SQL: webhooks `w` that get something, with their person `u`. */
const OPEN = `waiting join webhooks w on w.id = waiting.id and w.is_on left join users u on u.id = w.user_id`;
const IS_OPEN = `(u.id is null or u.deleted_at is null and not ${selectShutOut('u')})`;

export interface ClaimedDelivery
  extends Pick<DeliveryRow, 'id' | 'webhook_id' | 'message_id' | 'attempts' | 'created_at'>,
    Pick<WebhookRow, 'url' | 'host' | 'format' | 'secret' | 'key_id' | 'former_secret' | 'former_key_id'> {
  type: WebhookEvent;
  data: Omit<SubjectOf<WebhookEvent>, 'url' | 'currency'>;
  /** How many attempts there were before this one. */
  begun: number;
  /** The former secret signs as well. */
  is_changing: boolean;
  /** Of the ad that the event is about, while it is public. */
  ad_title: string | null;
  /** What the person of the webhook reads. */
  language: string | null;
}

export interface ClaimOptions {
  /** Of webhooks whose last delivery failed, or of the others. */
  isFailing: boolean;
  /** Webhooks and hosts that have enough requests now. */
  busy: readonly string[];
  busyHosts: readonly string[];
  /** Deliveries at most: in all, of one webhook, and of one host. */
  room: number;
  ofWebhook: number;
  ofHost: number;
  /** After how long the attempts count as interrupted. */
  leaseMs: number;
}

/**
 * Begins attempts of due deliveries, the oldest first, of each webhook a few. Of several callers each gets its own. The attempts
 * are committed before anything is sent.
 */
export const claimDeliveries = async (trx: Trx, options: ClaimOptions): Promise<ClaimedDelivery[]> => {
  const { rows } = await trx.raw<{ rows: ClaimedDelivery[] }>(
    `with recursive ${WAITING}, due as (
       select d.id, d.next_at, row_number() over (partition by w.host order by d.next_at, d.id) as of_host
       from ${OPEN} cross join lateral (
         select id, next_at from webhook_deliveries d
         where d.webhook_id = w.id and d.next_at <= now() order by d.next_at, d.id limit :ofWebhook
         for update skip locked
       ) d
       where ${IS_OPEN} and (w.failing_since is not null) = :isFailing and coalesce(w.held_until <= now(), true)
         and w.id <> all(:busy::bigint[]) and w.host <> all(:busyHosts::text[])
     ), chosen as (
       select id from due where of_host <= :ofHost order by next_at, id limit :room
     )
     update webhook_deliveries d set status = 'sending', attempts = least(d.attempts + 1, ${LIMITS.webhookAttempts}),
       last_at = now(), next_at = now() + :leaseMs * interval '1 millisecond'
     from chosen, webhooks w, webhook_deliveries before
     where d.id = chosen.id and w.id = d.webhook_id and before.id = d.id
     returning d.id, d.webhook_id, d.message_id, d.attempts, before.attempts as begun, d.created_at, d.type, d.data, w.url, w.host, w.format, w.secret,
       w.key_id, w.former_secret, w.former_key_id, coalesce(w.former_until > now(), false) as is_changing,
       (select a.title from ads a where a.id = (d.data->>'adId')::bigint and a.listed) as ad_title,
       (select ${SPOKEN_LANGUAGE} from users u where u.id = w.user_id)`,
    { ...options, busy: [...options.busy], busyHosts: [...options.busyHosts] } as never,
  );
  return rows;
};

/** Milliseconds until the next delivery is due, or null if none waits. */
export const findNextDelivery = async (db: Db): Promise<number | null> => {
  const { rows } = await db.raw<{ rows: { ms: number | null }[] }>(
    `with recursive ${WAITING}
     select (extract(epoch from min(greatest(d.next_at, w.held_until)) - now()) * 1000)::float8 as ms
     from ${OPEN} cross join lateral (
       select min(next_at) as next_at from webhook_deliveries d where d.webhook_id = w.id and d.next_at is not null) d
     where ${IS_OPEN}`,
  );
  return rows[0]!.ms;
};

/** How the webhooks are, for metrics and `marketctl doctor`. */
export interface WebhookTotals {
  webhooksOn: number;
  /** On, and since their last arrival every delivery failed. */
  webhooksFailing: number;
  /** Switched off because they are gone or failed for days. */
  webhooksGivenUp: number;
  /** Deliveries that are due, under way or wait for another attempt. */
  webhookDeliveriesWaiting: number;
  /** How long the oldest due delivery waits, of webhooks that do not fail: it is the sender that is late. */
  webhookSecondsLate: number;
}

export const readWebhookTotals = async (db: Db): Promise<WebhookTotals> => {
  const { rows } = await db.raw<{ rows: WebhookTotals[] }>(
    `with recursive ${WAITING}, open as (
       select d.count, case when w.failing_since is null then now() - d.due_at end as late
       from ${OPEN} cross join lateral (
         select count(*), min(next_at) as due_at from webhook_deliveries d
         where d.webhook_id = w.id and d.next_at is not null) d
       where ${IS_OPEN}
     )
     select count(*) filter (where is_on)::int as "webhooksOn",
       count(*) filter (where is_on and failing_since is not null)::int as "webhooksFailing",
       count(*) filter (where off_reason <> 'owner')::int as "webhooksGivenUp",
       (select coalesce(sum(count), 0)::int from open) as "webhookDeliveriesWaiting",
       (select coalesce(extract(epoch from greatest(max(late), '0')), 0)::float8 from open) as "webhookSecondsLate"
     from webhooks`,
  );
  return rows[0]!;
};

/** How an attempt ended. */
export interface DeliveryEnd {
  id: string;
  /** The attempt: a later one, or the end of the webhook, makes it void. */
  attempts: number;
  status: 'waiting' | 'delivered' | 'failed';
  /** Until the next attempt, if one follows. */
  waitMs: number | null;
  responseStatus: number | null;
  error: string | null;
  errorPhrase: ErrorPhrase | null;
  durationMs: number;
}

export const endAttempts = async (trx: Trx, ends: readonly DeliveryEnd[]): Promise<void> => {
  await trx.raw(
    `update webhook_deliveries d set status = e.status, next_at = now() + e."waitMs" * interval '1 millisecond',
       response_status = e."responseStatus", error = left(e.error, 300), error_phrase = e."errorPhrase",
       duration_ms = e."durationMs"
     from json_to_recordset(?) as e (id bigint, attempts int, status text, "waitMs" float8, "responseStatus" int, error text,
       "errorPhrase" jsonb, "durationMs" int)
     where d.id = e.id and d.attempts = e.attempts and d.status = 'sending'`,
    [JSON.stringify(ends)],
  );
};
