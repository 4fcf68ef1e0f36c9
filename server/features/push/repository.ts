import { LIMITS } from '../../../contract/limits.ts';
import type { Db, Trx } from '../../db/pools.ts';
import type { PushKeys, PushTarget } from '../../integrations/push/push.ts';

export const readPushKeys = async (db: Db): Promise<PushKeys | undefined> =>
  db<{ publicKey: string; privateKey: string }>('push_keys').first(
    'public_key as publicKey',
    'private_key as privateKey',
  );

/** Stores the VAPID keys unless there are some. */
export const insertPushKeys = async (db: Db, { publicKey, privateKey }: PushKeys): Promise<void> => {
  await db('push_keys').insert({ public_key: publicKey, private_key: privateKey }).onConflict().ignore();
};

export interface PushDeviceRow {
  endpoint: string;
  created_at: string;
}

/** The browsers that receive a user's notifications, newest first. */
export const listSubscriptions = (db: Db, userId: string): Promise<PushDeviceRow[]> =>
  db('push_subscriptions')
    .where({ user_id: userId })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select('endpoint', 'created_at');

/** Those of the users who have a browser that receives their notifications. */
export const findUsersWithPush = async (db: Db, userIds: readonly string[]): Promise<Set<string>> => {
  const found = await db('push_subscriptions')
    .distinct('user_id')
    .whereRaw('user_id = any(?::bigint[])', [[...userIds]])
    .pluck<string[]>('user_id');
  return new Set(found);
};

export interface NewSubscription extends PushTarget {
  userId: string;
  sessionHash: Buffer | undefined;
}

/** Inserts a browser, or gives it to this user with its newest keys. Returns the row and whether it is new. */
export const upsertSubscription = async (
  trx: Trx,
  { userId, sessionHash, ...target }: NewSubscription,
): Promise<PushDeviceRow & { is_new: boolean }> => {
  const { rows } = await trx.raw<{ rows: (PushDeviceRow & { is_new: boolean })[] }>(
    `insert into push_subscriptions (user_id, session_hash, endpoint, p256dh, auth)
     values (:userId, :sessionHash, :endpoint, :p256dh, :auth)
     on conflict (endpoint) do update set user_id = excluded.user_id, session_hash = excluded.session_hash,
       p256dh = excluded.p256dh, auth = excluded.auth, created_at = now()
     returning endpoint, created_at, xmax = 0 as is_new`,
    { userId, sessionHash: sessionHash ?? null, ...target },
  );
  return rows[0]!;
};

/** Deletes the oldest browsers of a user beyond LIMITS.pushSubscriptions. The caller has locked the user. */
export const deleteOldestSubscriptions = async (trx: Trx, userId: string): Promise<void> => {
  await trx.raw(
    `delete from push_subscriptions where id in (
       select id from push_subscriptions where user_id = ? order by created_at desc, id desc
       offset ${LIMITS.pushSubscriptions})`,
    [userId],
  );
};

export const deleteSubscription = async (db: Db, userId: string, endpoint: string): Promise<void> => {
  await db('push_subscriptions').where({ user_id: userId, endpoint }).delete();
};

export interface ClaimedSubscription extends PushTarget {
  id: string;
}

/**
 * Claims the browsers of the notification's receiver that have not been tried. Each browser is claimed once, also by
 * concurrent callers.
 */
export const claimSubscriptions = async (db: Db, notificationId: string): Promise<ClaimedSubscription[]> => {
  const { rows } = await db.raw<{ rows: ClaimedSubscription[] }>(
    `with claimed as (
       insert into push_attempts (notification_id, subscription_id)
       select n.id, s.id from notifications n join push_subscriptions s on s.user_id = n.user_id where n.id = ?
       on conflict do nothing returning subscription_id)
     select s.id, s.endpoint, s.p256dh, s.auth from claimed join push_subscriptions s on s.id = subscription_id`,
    [notificationId],
  );
  return rows;
};

/** Makes a claimed browser claimable again: its push service has not accepted the notification. */
export const releaseSubscription = async (db: Db, notificationId: string, subscriptionId: string): Promise<void> => {
  await db('push_attempts').where({ notification_id: notificationId, subscription_id: subscriptionId }).delete();
};

/** Deletes a browser that its push service no longer knows, unless it has subscribed again meanwhile. */
export const deleteGoneSubscription = async (db: Db, { id, p256dh }: ClaimedSubscription): Promise<void> => {
  await db('push_subscriptions').where({ id, p256dh }).delete();
};
