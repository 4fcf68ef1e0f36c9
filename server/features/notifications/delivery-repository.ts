import type { Channel } from '../../../contract/notification-settings.ts';
import type { NotificationKind } from '../../../contract/notifications.ts';
import { cutText } from '../../../contract/text.ts';
import type { Db, Trx } from '../../db/pools.ts';
import { READER, selectBlocked, selectShutOut } from '../users/repository.ts';

export type DeliveryStatus = 'waiting' | 'sending' | 'sent' | 'skipped' | 'failed';

export interface DeliveryKey {
  notificationId: string;
  channel: Channel;
}

export interface DispatchRow {
  id: string;
  user_id: string;
  kind: NotificationKind;
  /** It is about a notice to everyone. */
  is_to_everyone: boolean;
}

/** `notice` is the left-joined row of notices. */
const IS_TO_EVERYONE = 'notice.id is not null and notice.receiver_id is null';

/** Unread notifications, locked against their deletion until the transaction ends. */
export const lockUnreadNotifications = async (trx: Trx, ids: readonly string[]): Promise<DispatchRow[]> => {
  const { rows } = await trx.raw<{ rows: DispatchRow[] }>(
    `select n.id, n.user_id, n.kind, ${IS_TO_EVERYONE} as is_to_everyone
     from notifications n left join notices notice on notice.id = n.notice_id
     where n.id = any(?::bigint[]) and not n.is_read order by n.id for key share of n`,
    [[...ids]],
  );
  return rows;
};

/** Inserts waiting deliveries. Returns those that did not exist. */
export const insertDeliveries = async (trx: Trx, keys: readonly DeliveryKey[]): Promise<DeliveryKey[]> => {
  const { rows } = await trx.raw<{ rows: DeliveryKey[] }>(
    `insert into notification_deliveries (notification_id, channel)
     select "notificationId", channel from json_to_recordset(?) as new ("notificationId" bigint, channel text)
     on conflict do nothing returning notification_id as "notificationId", channel`,
    [JSON.stringify(keys)],
  );
  return rows;
};

export interface DeliveryRow extends DeliveryKey {
  status: DeliveryStatus;
  attempts: number;
  error: string | null;
  /** Seconds since the last change of the row. */
  age: number;
  user_id: string;
  user_created_at: string;
  /** READER, of the receiver. */
  language: string | null;
  time_zone: string | null;
  kind: NotificationKind;
  params: { is: string } | null;
  title: string;
  body: string;
  url: string | null;
  created_at: string;
  is_read: boolean;
  is_to_everyone: boolean;
  is_deleted: boolean;
  /** Banned or suspended. */
  is_shut_out: boolean;
  is_banned: boolean;
  /** The receiver and the user whose action it is about blocked one another, in either direction. */
  is_blocked: boolean;
  /** The user whose action it is about is banned, suspended or deleted. */
  is_source_gone: boolean;
}

const SELECT_DELIVERY = `
  select d.notification_id as "notificationId", d.channel, d.status, d.attempts, d.error,
    extract(epoch from clock_timestamp() - d.updated_at)::float8 as age,
    n.user_id, u.created_at as user_created_at, ${READER}, n.kind, n.params, n.title, n.body, n.url, n.created_at, n.is_read,
    ${IS_TO_EVERYONE} as is_to_everyone,
    u.deleted_at is not null as is_deleted, ${selectShutOut('u')} as is_shut_out, u.banned_at is not null as is_banned,
    ${selectBlocked('u.id', 'n.source_user_id')} as is_blocked,
    coalesce(source.deleted_at is not null or ${selectShutOut('source')}, false) as is_source_gone
  from notification_deliveries d
  join notifications n on n.id = d.notification_id
  join users u on u.id = n.user_id
  left join users source on source.id = n.source_user_id
  left join notices notice on notice.id = n.notice_id
  where d.notification_id = ? and d.channel = ?`;

export const findDelivery = async (
  db: Db,
  { notificationId, channel }: DeliveryKey,
): Promise<DeliveryRow | undefined> =>
  (await db.raw<{ rows: DeliveryRow[] }>(SELECT_DELIVERY, [notificationId, channel])).rows[0];

export const lockDelivery = async (
  trx: Trx,
  { notificationId, channel }: DeliveryKey,
): Promise<DeliveryRow | undefined> =>
  (await trx.raw<{ rows: DeliveryRow[] }>(`${SELECT_DELIVERY} for update of d`, [notificationId, channel])).rows[0];

export interface DeliveryChange {
  status: DeliveryStatus;
  attempts?: number;
  /** Why it was not sent, at most 300 characters. */
  error?: string | null;
  nextAttemptAt?: Date | null;
}

export const updateDelivery = async (
  trx: Trx,
  { notificationId, channel }: DeliveryKey,
  { status, attempts, error = null, nextAttemptAt = null }: DeliveryChange,
): Promise<void> => {
  await trx('notification_deliveries')
    .where({ notification_id: notificationId, channel })
    .update({
      status,
      ...(attempts !== undefined && { attempts }),
      error: error && cutText(error, 300),
      next_attempt_at: nextAttemptAt?.toISOString() ?? null,
      updated_at: trx.raw('clock_timestamp()'),
    });
};

export interface OpenDelivery extends DeliveryKey {
  kind: NotificationKind;
  is_to_everyone: boolean;
}

const TOUCHED = 'greatest(d.updated_at, d.next_attempt_at)';

/**
 * Open deliveries without a job. Looks at those that nothing has touched for `seconds` to `seconds + span`, and at the
 * same part of each hour before: mail waits for hours after a notice to everyone, and each run reads a part of it only.
 */
export const listLostDeliveries = async (
  db: Db,
  { seconds, span, limit }: { seconds: number; span: number; limit: number },
): Promise<OpenDelivery[]> => {
  const { rows } = await db.raw<{ rows: OpenDelivery[] }>(
    `with hours as materialized (
       select now() - hour * interval '1 hour' as before from generate_series(0, (
         select coalesce(floor(extract(epoch from now() - min(${TOUCHED})) / 3600), -1)::int
         from notification_deliveries d where d.status in ('waiting', 'sending'))) hour
     )
     select d.notification_id as "notificationId", d.channel, n.kind,
       ${IS_TO_EVERYONE} as is_to_everyone
     from hours join notification_deliveries d
       on ${TOUCHED} <= before - :seconds::float8 * interval '1 second'
         and ${TOUCHED} > before - (:seconds::float8 + :span::float8) * interval '1 second'
     join notifications n on n.id = d.notification_id
     left join notices notice on notice.id = n.notice_id
     where d.status in ('waiting', 'sending')
       and not exists (select from graphile_worker.jobs
         where key = 'deliver-' || d.channel || '-' || d.notification_id and attempts < max_attempts)
     limit :limit`,
    { seconds, span, limit },
  );
  return rows;
};

/** After a restore: what waits in a backup was sent since, or is out of date. */
export const skipOpenDeliveries = async (trx: Trx): Promise<void> => {
  await trx('notification_deliveries')
    .whereIn('status', ['waiting', 'sending'])
    .update({ status: 'skipped', error: 'restored from a backup', next_attempt_at: null, updated_at: trx.fn.now() });
};

/** `all`: every mail. `bulk`: mails that go to many people at once, which also take a slot of `all`. */
export type MailLane = 'all' | 'bulk';

/** How far ahead slots may be reserved, unless the gap is longer. */
const MAIL_SLOTS_AHEAD_MS = 1000;

export interface MailSlot {
  /** False: all slots of the next second are taken. Ask again after `waitMs`. */
  isReserved: boolean;
  /** Milliseconds until the slot, or until it is worth asking again. */
  waitMs: number;
}

/**
 * Reserves the next free slot for a mail, shared by all replicas: slots of a lane are at least `gapMs` apart, and the
 * first free one is at most a second ahead, or a gap if that is longer. A later one was written by a session whose
 * clock was ahead, and is ignored.
 */
export const reserveMailSlot = async (db: Db, lane: MailLane, gapMs: number): Promise<MailSlot> => {
  const { rows } = await db.raw<{ rows: MailSlot[] }>(
    // the clock is read after the row is locked: others may have reserved slots meanwhile
    `with reserved as (
       insert into mail_slots as s (lane, next_at) values (:lane, clock_timestamp() + :gap * interval '1 millisecond')
       on conflict (lane) do update
         set next_at = :gap * interval '1 millisecond' + case
           when s.next_at > clock_timestamp() + :ahead * interval '1 millisecond' then clock_timestamp()
           else greatest(s.next_at, clock_timestamp()) end
         where s.next_at > clock_timestamp() + :ahead * interval '1 millisecond'
           or greatest(s.next_at, clock_timestamp()) + :gap * interval '1 millisecond'
             <= clock_timestamp() + :ahead * interval '1 millisecond'
       returning extract(epoch from next_at - clock_timestamp()) * 1000 - :gap as wait)
     select exists (select from reserved) as "isReserved", greatest(
       coalesce((select wait from reserved),
         (select extract(epoch from next_at - clock_timestamp()) * 1000 + :gap - :ahead from mail_slots where lane = :lane),
         0),
       case when exists (select from reserved) then 0 else 10 end)::float8 as "waitMs"`,
    { lane, gap: gapMs, ahead: Math.max(MAIL_SLOTS_AHEAD_MS, gapMs) },
  );
  return rows[0]!;
};

/** Counts deliveries that wait, by channel; for metrics. */
export const readDeliveryTotals = async (db: Db): Promise<{ mailsWaiting: number; pushesWaiting: number }> => {
  const { rows } = await db.raw<{ rows: { mailsWaiting: number; pushesWaiting: number }[] }>(
    `select count(*) filter (where channel = 'email')::int as "mailsWaiting",
       count(*) filter (where channel = 'push')::int as "pushesWaiting"
     from notification_deliveries where status in ('waiting', 'sending')`,
  );
  return rows[0]!;
};
